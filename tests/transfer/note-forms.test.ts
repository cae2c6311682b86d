/** Files of rules and folders of notes are imported with their headings, projects and links. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recognize } from '../../src/transfer/recognize.js';
import { blocksOf } from '../../src/transfer/sources/rules-file.js';
import { folderForTest, imported } from './imported.js';

const RULES = join(import.meta.dirname, 'data', 'CLAUDE.md');

function write(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function copied(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(RULES, path);
  return path;
}

describe('a file of rules', () => {
  test('gives a memory for each bullet, paragraph and block of code, with its headings', async () => {
    const { contents, leftOut } = await imported(copied(folderForTest(), 'CLAUDE.md'), 'rules-file');
    expect(contents).toEqual(
      [
        'This file guides assistants in this repository.',
        'Commands: Build with `npm run build`',
        'Commands:\nTest one file with `npx vitest run FILE`\n  - with coverage: add `--coverage`',
        'Commands:\nLint before each commit:\n\n```bash\n# not a heading\nnpm run lint\n\n- not a bullet\n```',
        'Style > Always: Use two spaces',
        'Style > Always: No `any`',
        'Style > Naming: camelCase for variables',
        'Style > Errors:\n1. Throw early\n2. Catch late',
        'Style > Errors:\n| code | meaning    |\n| ---- | ---------- |\n| 42   | out of tea |',
      ].sort(),
    );
    expect(leftOut).toEqual(['2 rules: only names another file, which can be imported by itself']);
  });

  test.each(['AGENTS.md', 'notes/rules.markdown', 'GEMINI.md', 'cursor.mdc', 'rules.txt'])(
    'is recognised by its text as %s',
    async name => expect(await recognize(copied(folderForTest(), name))).toBe('rules-file'),
  );

  test('in a repository has the tag of the project and keys of its own', async () => {
    const config = '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@github.com:ann/web-shop.git\n';
    const folder = write(folderForTest(), { '.git/config': config });
    const here = await imported(copied(folder, 'packages/api/CLAUDE.md'), 'rules-file');
    expect(here.holding('two spaces').memory).toMatchObject({
      tags: expect.arrayContaining(['project:ann/web-shop']),
      metadata: { file: 'packages/api/CLAUDE.md' },
    });
    const elsewhere = await imported(copied(folderForTest(), 'CLAUDE.md'), 'rules-file');
    expect(elsewhere.holding('two spaces').memory.tags.join()).not.toContain('project:');
    expect(here.ids.filter(id => elsewhere.ids.includes(id))).toEqual([]);
  });

  test('adds only what is new after an edit', async () => {
    const path = copied(folderForTest(), 'AGENTS.md');
    const before = await imported(path, 'rules-file');
    writeFileSync(path, `${readFileSync(path, 'utf8')}\n- A new rule\n`);
    const after = await imported(path, 'rules-file');
    expect(after.ids.filter(id => !before.ids.includes(id))).toEqual([after.holding('A new rule').memory.id]);
    expect(before.ids.filter(id => !after.ids.includes(id))).toEqual([]);
  });
});

describe('Markdown is split', () => {
  const texts = (markdown: string) => blocksOf(markdown).map(({ headings, text }) => [...headings, text].join(' | '));

  test.each<[string, string, string[]]>([
    ['at underlined headings', 'Top\n===\n\nSub\n---\ntext', ['Top | Sub | text']],
    ['at headings with closing marks', '## Use C# ##\n\ntext\n\n# C#\ntext', ['Use C# | text', 'C# | text']],
    ['but not at rules', 'one\n\n---\n\n* * *\n\ntwo', ['one', 'two']],
    ['but not within tilde fences', '~~~\n# a\n```\n- b\n~~~\n\nafter', ['~~~\n# a\n```\n- b\n~~~', 'after']],
    ['with a fence that has no end', '```\n# a\n- b', ['```\n# a\n- b']],
    ['with code inside a bullet', '- run\n  ```\n  - x\n  ```\n- next', ['run\n  ```\n  - x\n  ```', 'next']],
    ['with nested bullets and paragraphs', '- a\n  - b\n\n    c\n- d', ['a\n  - b\n\n    c', 'd']],
    ['with bullets that are all indented', '  - a\n  - b\n    - c', ['a', 'b\n    - c']],
    ['with lines that continue', '- a\ncontinues\n\nparagraph\ncontinues', ['a\ncontinues', 'paragraph\ncontinues']],
    ['without comments', 'a <!-- x --> b\n<!-- y\n- z\n-->\n- c `<!-- d -->`', ['a  b', 'c `<!-- d -->`']],
    ['with comments that have no end', 'a <!-- b\n\n- c', ['a <!-- b', 'c']],
    ['with Windows line ends', '# H\r\n\r\n- a\r\n- b\r\n', ['H | a', 'H | b']],
    ['with an introduction only for its own bullets', 'Do:\n- a\n\ntext\n\n- b', ['Do | a', 'text', 'b']],
    ['with an introduction that has no bullets', 'Note:\n\ntext', ['Note:', 'text']],
    ['with steps that stay together', '1. a\n2. b\n\n3. c\n\ntext', ['1. a\n2. b\n\n3. c', 'text']],
  ])('%s', (_, markdown, expected) => expect(texts(markdown)).toEqual(expected));

  test('without losing a word', () => {
    const line = (index: number) => ['# h', '- b', 'p', '```', '<!-- c', '  - n', '1. s', 'q:'][index % 8] as string;
    const words = Array.from({ length: 400 }, (_, index) => `w${index}.`);
    const markdown = words.map((word, index) => `${line(index)} ${word}`).join('\n');
    const joined = blocksOf(markdown)
      .flatMap(({ headings, text }) => [...headings, text])
      .join('\n');
    expect(words.filter(word => !joined.includes(word))).toEqual([]);
  });

  test.each(['<!-- ', '`<!--` ', '<!-- -->', '- a\n', '# a\n', '```\n', 'a:\n- b\n', '    - c\n', '| a ', '<!-- \n'])(
    'in linear time if %j is repeated',
    repeated => {
      const costOf = (count: number) => {
        const text = repeated.repeat(count);
        return Math.min(...[1, 2, 3].map(() => processorMs(() => blocksOf(text))));
      };
      costOf(4_000);
      expect(costOf(80_000)).toBeLessThan(Math.max(12 * costOf(20_000), 60));
    },
  );
});

function processorMs(run: () => unknown): number {
  const started = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

describe('~/.claude/projects', () => {
  const note = (name: string, text: string) => `---\nname: ${name}\nmetadata:\n  type: feedback\n---\n${text}\n`;
  const session = (cwd: string) => `{"type":"summary"}\n${JSON.stringify({ type: 'user', cwd, sessionId: 's' })}\n`;

  function home(): { root: string; shop: string } {
    const root = folderForTest();
    const shop = join(root, 'code', 'my-shop');
    write(shop, { '.git/config': '[remote "origin"]\n\turl = https://example.org/ann/web.shop.git\n' });
    const encoded = shop.replace(/[^A-Za-z0-9]/g, '-');
    write(join(root, '.claude', 'projects'), {
      [`${encoded}/memory/MEMORY.md`]: '- [Style](style.md)\n\n## Ports\n\nThe gate is 5433.\n',
      [`${encoded}/memory/style.md`]: note('style', 'Ann likes short commits. See [[deep]].'),
      [`${encoded}/memory/more/deep.md`]: note('deep', 'Deep notes count too.'),
      [`${encoded}/s1.jsonl`]: session(join(shop, 'packages')),
      [`${encoded}/s2.jsonl`]: session(shop),
      '-home-ann-gone-away/memory/MEMORY.md': '## Ports\n\nThe gate is 6033.\n',
      '-home-ann-gone-away/s.jsonl': session('/home/ann/gone-away'),
      '-Users-ben-code-ledger/memory/a.md': note('a', 'Ledger uses euros.'),
      '-home-ann-quiet/s.jsonl': session('/home/ann/quiet'),
    });
    return { root, shop };
  }

  test('as a whole gives each memory the name of its repository', async () => {
    const { root } = home();
    const whole = await imported(join(root, '.claude', 'projects'), 'claude-code');
    const tagsOf = (text: string) => whole.holding(text).memory.tags.filter(tag => tag.startsWith('project:'));
    expect(tagsOf('short commits')).toEqual(['project:ann/web.shop']);
    expect(tagsOf('Deep notes')).toEqual(['project:ann/web.shop']);
    expect(tagsOf('5433')).toEqual(['project:ann/web.shop']);
    expect(tagsOf('6033')).toEqual(['project:gone-away']);
    expect(tagsOf('euros')).toEqual(['project:ledger']);
    expect(whole.memories).toHaveLength(5);
    expect(whole.authored(whole.holding('short commits'))).toMatchObject([
      { to: whole.holding('Deep notes').memory.id },
    ]);
    const above = await imported(join(root, '.claude'), 'claude-code');
    expect(above.ids).toEqual(whole.ids);
  });

  test('the folder of one project, and its folder of memories, give the same memories as the whole', async () => {
    const { root, shop } = home();
    const project = join(root, '.claude', 'projects', shop.replace(/[^A-Za-z0-9]/g, '-'));
    const whole = await imported(join(root, '.claude', 'projects'), 'claude-code');
    const one = await imported(project, 'claude-code');
    const memory = await imported(join(project, 'memory'), 'claude-code');
    expect(one.ids).toEqual(memory.ids);
    expect(one.ids).toHaveLength(3);
    expect(whole.ids).toEqual(expect.arrayContaining(one.ids));
  });

  test.each([
    [
      'a linked worktree',
      {
        'tree/.git': 'gitdir: ../main/.git/worktrees/tree\n',
        'main/.git/config': '[remote "up"]\n\turl = ssh://git@host/x/engine\n',
        'main/.git/worktrees/tree/commondir': '../..\n',
      },
      'tree',
      'x/engine',
    ],
    ['a repository without a remote', { 'plain/.git/config': '[core]\n', 'plain/src/x': '' }, 'plain/src', 'plain'],
    ['a folder without a repository', { 'loose/x': '' }, 'loose', 'loose'],
  ])('the project of %s has its name', async (_, files, worked, name) => {
    const root = write(folderForTest(), files);
    const cwd = join(root, worked);
    const encoded = cwd.replace(/[^A-Za-z0-9]/g, '-');
    write(join(root, 'projects'), {
      [`${encoded}/memory/MEMORY.md`]: '## A\n\nA fact.\n',
      [`${encoded}/s.jsonl`]: session(cwd),
    });
    const { holding } = await imported(join(root, 'projects'), 'claude-code');
    expect(holding('A fact').memory.tags).toContain(`project:${name}`);
  });

  test('a project whose sessions are gone is found on this machine', async () => {
    const root = write(folderForTest(), { 'a.b/c-d/.git/config': '' });
    const encoded = join(root, 'a.b', 'c-d').replace(/[^A-Za-z0-9]/g, '-');
    write(join(root, 'projects'), { [`${encoded}/memory/MEMORY.md`]: '## A\n\nA fact.\n' });
    const { holding } = await imported(join(root, 'projects'), 'claude-code');
    expect(holding('A fact').memory.tags).toContain('project:c-d');
  });

  test('sections with the same heading, and headings within code, lose nothing', async () => {
    const text = '## Ports\n\nOne is 1.\n\n## Ports\n\nTwo is 2.\n\n```\n# three\n```\n';
    const folder = write(folderForTest(), { 'memory/MEMORY.md': text });
    const { contents } = await imported(join(folder, 'memory'), 'claude-code');
    expect(contents).toEqual(['Ports\nOne is 1.', 'Ports\nTwo is 2.\n\n```\n# three\n```']);
  });
});

describe('basic-memory', () => {
  const kitchen = '---\ntitle: Kitchen Notes\npermalink: home/kitchen\n---\n\nThe kettle is new.\n';
  test.each<[string, Record<string, string>]>([
    [
      'with notes only in subfolders',
      {
        'home/kitchen.md': kitchen,
        'drinks/hot/coffee.md':
          '---\ntitle: Coffee\ntags:\n- drinks\n---\n\n- [method] Pour over is clear #brewing (morning)\n- relates_to [[Kitchen Notes]]\n',
      },
    ],
    [
      'without permalinks',
      {
        'a/kitchen.md': '---\ntitle: Kitchen Notes\n---\n\nThe kettle is new.\n',
        'b/coffee.md':
          '---\ntitle: Coffee\n---\n\n## Observations\n- [method] Pour over is clear #brewing #drinks\n\n## Relations\n- part_of [[Kitchen Notes]]\n',
      },
    ],
    [
      'without front matter',
      {
        'kitchen.md': 'The kettle is new.\n',
        'x/coffee.md':
          '# Coffee\n- [ ] a task\n- [tip] Pour over is clear #brewing #drinks\n- relates to [[kitchen]]\n',
      },
    ],
  ])('%s keeps observations, tags and relations', async (_, files) => {
    const { memories, holding, authored, leftOut } = await imported(write(folderForTest(), files), 'basic-memory');
    expect(memories).toHaveLength(2);
    expect(holding('Pour over').memory.tags).toEqual(expect.arrayContaining(['drinks', 'brewing']));
    expect(authored(holding('Pour over'))).toMatchObject([{ to: holding('kettle').memory.id }]);
    expect(leftOut).toEqual([]);
  });

  test('one of its notes can be imported alone', async () => {
    const folder = write(folderForTest(), { 'kitchen.md': kitchen });
    const { contents } = await imported(join(folder, 'kitchen.md'), 'basic-memory');
    expect(contents).toEqual(['Kitchen Notes\n\nThe kettle is new.']);
  });
});
