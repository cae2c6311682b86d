/** Known software, languages, services and devices. */
import { phraseSet, phrasesOf } from './word-set.js';

/**
 * Unambiguous names. They also match in lower case, except those in LOWER_CASE_WORDS. `metadata.entities` shows them in
 * this spelling.
 */
export const TOOLS = phrasesOf(`
  PostgreSQL, MySQL, MariaDB, SQLite, MongoDB, Redis, Redis Cluster, memcached, Valkey, KeyDB, Cassandra, ScyllaDB, DynamoDB
  CockroachDB, Couchbase, CouchDB, Neo4j, FalkorDB, Memgraph, ArangoDB, DuckDB, ClickHouse, InfluxDB, TimescaleDB, Supabase
  Firebase, Firestore, PlanetScale, Snowflake DB, BigQuery, Redshift, Databricks, Elasticsearch, OpenSearch, Meilisearch
  Typesense, Algolia, Qdrant, Weaviate, Pinecone DB, Milvus, Chroma DB, ChromaDB, pgvector, FAISS, LanceDB, zvec, libSQL, Turso
  Kafka, RabbitMQ, NATS, ActiveMQ, Pulsar, ZeroMQ, BullMQ, Sidekiq, SQS, EventBridge, Kinesis
  Docker, Docker Compose, Kubernetes, Podman, containerd, k3s, minikube, Istio, Traefik, nginx, HAProxy, Caddy Server, Envoy
  Terraform, OpenTofu, Pulumi, Ansible, CloudFormation, Argo CD, ArgoCD, Flux CD, Jenkins, CircleCI, Travis CI, TeamCity
  GitHub, GitHub Actions, GitHub Copilot, GitLab, GitLab CI, Bitbucket, Gitea, Mercurial, Subversion, git
  AWS, Azure, Azure DevOps, Google Cloud, Heroku, Vercel, Netlify, Cloudflare, Cloudflare Workers, DigitalOcean, Hetzner, OVHcloud
  Fly.io, Render.com, EC2, S3, ECS, EKS, GKE, AKS, Fargate, CloudFront, Route 53, Cloud Run, AWS Lambda, MinIO, Backblaze
  Datadog, Grafana, Prometheus, Loki, Jaeger, OpenTelemetry, PagerDuty, Opsgenie, New Relic, Splunk, Kibana, Logstash, Fluentd
  Honeycomb.io, CloudWatch, Mixpanel, Amplitude Analytics, PostHog, Google Analytics, Metabase, Tableau, Power BI, Looker Studio
  TypeScript, JavaScript, Python, Kotlin, Scala, Clojure, Haskell, Elixir, Erlang, OCaml, Golang, Fortran
  COBOL, MATLAB, Perl, PHP, Ruby on Rails, Cpp, CSharp, FSharp, WebAssembly, Bash, PowerShell, zsh, Lua, Zig lang, Solidity
  Node.js, Deno, Next.js, Nuxt, Nuxt.js, Vue.js, React Native, React Query, AngularJS, SvelteKit, Vite, Vitest, webpack
  Rollup.js, esbuild, Turborepo, Nx, Lerna, pnpm, npm, npx, yarnpkg, ESLint, Biome.js, Prettier, Babel.js, tsc, ts-node, tsx
  Fastify, NestJS, Hono, Express.js, Koa, tRPC, GraphQL, gRPC, OpenAPI, Prisma, Drizzle ORM, TypeORM, Sequelize, Knex, Mongoose
  Zod, Redux, Zustand, MobX, RxJS, jQuery, Tailwind, Tailwind CSS, styled-components, Bootstrap CSS, shadcn, Storybook, Three.js, D3.js
  Playwright, Puppeteer, Selenium, Mocha.js, pytest, JUnit, RSpec, PHPUnit, Testcontainers, Postman, Insomnia REST
  Django, FastAPI, Pydantic, SQLAlchemy, NumPy, pandas DataFrame, SciPy, scikit-learn, PyTorch, TensorFlow, Keras, Jupyter
  LangChain, LlamaIndex, Hugging Face, spaCy, ONNX, CUDA, Airflow, dbt, Dagster, Hadoop, ruff, mypy, pyright, uvicorn, gunicorn
  Spring Boot, Hibernate, Gradle, Maven, Tomcat, Quarkus, Ktor, Laravel, Symfony, WordPress, Drupal, Shopify Liquid, Magento
  Swagger, Keycloak, Auth0, Okta, OAuth, OAuth2, JWT, PASETO, OpenSSL, Let's Encrypt, Tailscale, WireGuard, OpenVPN, 1Password
  Bitwarden, LastPass, Renovate, Dependabot, SonarQube, Snyk, LaunchDarkly, restic, rsync, systemd, tmux, Vim, Neovim, Emacs
  VS Code, Visual Studio, IntelliJ, IntelliJ IDEA, PyCharm, WebStorm, Xcode, Android Studio, Sublime Text, JetBrains, Copilot
  ChatGPT, GPT-3, GPT-3.5, GPT-4, GPT-4o, GPT-5, Claude Code, Claude Desktop, Mixtral, DeepSeek, Ollama, vLLM, llama.cpp, LM Studio
  Stable Diffusion, DALL-E, Midjourney, Perplexity AI, Whisper API, NotebookLM, AutoMem, Engraph, n8n, Zapier, Airtable
  Linux, Ubuntu, Debian, Fedora, Arch Linux, Alpine Linux, CentOS, FreeBSD, NixOS, macOS, iOS, Android, Raspberry Pi, Arduino
  Photoshop, Lightroom, InDesign, Figma, Blender 3D, AutoCAD, SketchUp, Canva, Miro board, LaTeX, Overleaf, Pandoc, Obsidian, Evernote
  Todoist, Trello, Jira, Asana, ClickUp, Basecamp, Confluence, Google Docs, Google Sheets, Google Drive, Google Maps, Google Calendar
  Gmail, Outlook, Microsoft Teams, MS Teams, Microsoft Word, Microsoft Excel, Excel, PowerPoint, SharePoint, OneDrive, OneNote, Dropbox
  WhatsApp, Telegram, Instagram, Facebook, YouTube, TikTok, Twitter, LinkedIn, Reddit, Pinterest, Snapchat, Mastodon, Wikipedia, Discord
  Spotify, Netflix, Duolingo, Strava, Garmin, Fitbit, Kindle, iPhone, iPad, MacBook, Apple Watch, PlayStation, Xbox, Nintendo Switch, Nintendo
  QuickBooks, DATEV, SAP HANA, Salesforce CRM, HubSpot, Zendesk, Intercom, Mailchimp, SendGrid, Mailgun, Twilio, PayPal, Klarna Checkout
  Unreal Engine, Godot, Minecraft, Mermaid.js, PlantUML, Puma server, Unicorn server, RocksDB, LevelDB, LMDB, etcd, ZooKeeper
  Qwen, Mistral AI API, AlphaFold, Siri, Alexa, Google Home, ChromeOS, Firefox, Chromium, Thunderbird, LibreOffice, Wireshark, Burp Suite
  OpenCV, FFmpeg, ImageMagick, GStreamer, MQTT, Home Assistant, Zigbee, Bluetooth Mesh, Ethereum, Bitcoin, Stripe, Plaid
  Miniconda, Anaconda, Conda, Homebrew, Chocolatey, Nix, Bazel, CMake, Makefile, Cargo.toml, rustc, clippy, Nuget, Composer PHP
  Voyage AI, Logseq, Zotero, Anki, Readwise, Calendly, Doodle poll, Eventbrite, Webex, Skype, FaceTime, Mattermost, Rocket.Chat, Zulip
`);

/**
 * Names that are also ordinary words. They are matched only with a capital, and at the beginning of a sentence only if
 * the next words indicate a tool.
 */
export const WORDLIKE_TOOLS = phrasesOf(`
  Node, React, Vue, Angular, Svelte, Ember, Express, Spring, Rails, Ruby, Java, Go, Rust, Swift, Zig, Dart
  Flask, Celery, Jest, Mocha, Cypress, Storybook, Rollup, Babel, Biome, Bun, Drizzle, Pandas, Spark, Flink
  Oracle, Snowflake, Pinecone, Chroma, Helm, Vault, Consul, Nomad, Packer, Vagrant, Temporal
  Sentry, Kong, Caddy, Looker, Amplitude, Unleash, Lambda, Slack, Zoom, Signal, Teams, Notion
  Linear, Miro, Monday.com, Blender, Audacity
  Chrome, Safari, Windows, Twitch, Cursor, Windsurf, Zed, Aider, Claude, Gemini, Llama, Mistral
  Whisper, Perplexity, Copilot, Bard, Grok, Voyage, Cohere, Bootstrap, Bulma, Phoenix, Actix, Axum
  Tokio, Serde, Mongo, Cypher, Homebrew, Hermes, Replit, Codex
  Venmo, Substack, Tinder, Bumble, Uber Eats, Polars, Dask, Ray Serve, Prefect, Superset, Trino
`);

/** Other spellings, in lower case, each with the name whose tag it shares. */
export const TOOL_ALIASES: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL',
  postgre: 'PostgreSQL',
  mongo: 'MongoDB',
  k8s: 'Kubernetes',
  kube: 'Kubernetes',
  kubectl: 'Kubernetes',
  node: 'Node.js',
  nodejs: 'Node.js',
  nextjs: 'Next.js',
  'nuxt.js': 'Nuxt',
  vuejs: 'Vue',
  'vue.js': 'Vue',
  'react.js': 'React',
  reactjs: 'React',
  'express.js': 'Express',
  golang: 'Go',
  // A tag contains no punctuation, so in their usual spelling `C++` and `C#` would have the tag of `C`.
  'c++': 'Cpp',
  'c#': 'CSharp',
  'f#': 'FSharp',
  tailwind: 'Tailwind CSS',
  tailwindcss: 'Tailwind CSS',
  vscode: 'VS Code',
  'visual studio code': 'VS Code',
  gcp: 'Google Cloud',
  'google cloud platform': 'Google Cloud',
  'amazon web services': 'AWS',
  'amazon s3': 'S3',
  'aws s3': 'S3',
  'redis streams': 'Redis',
  'hashicorp vault': 'Vault',
  'ms teams': 'Microsoft Teams',
  'microsoft excel': 'Excel',
  'microsoft outlook': 'Outlook',
  nvim: 'Neovim',
  rails: 'Ruby on Rails',
  'drizzle orm': 'Drizzle',
  argocd: 'Argo CD',
  'claude code': 'Claude Code',
  oauth2: 'OAuth',
  javascript: 'JavaScript',
  psql: 'PostgreSQL',
  'kafka streams': 'Kafka',
};

/** Names that mean something else in lower case, so they need their capitals. */
export const LOWER_CASE_WORDS: ReadonlySet<string> = phraseSet(`
  excel, outlook, node, discord, confluence, envoy, prettier, obsidian, kindle, telegram, postman, android, puppeteer, playwright
  maven, hibernate, composer, swagger, renovate, stripe, plaid, anaconda, intercom, chocolatey, makefile, bitcoin, render, storybook
  bash, elixir, airflow, mongoose, subversion, mercurial, caddy, bootstrap, tableau, homebrew
`);
