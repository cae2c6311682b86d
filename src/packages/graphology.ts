/** Graphs and the search for communities in them. The build bundles both packages into the thread that uses them. */
import communities from 'graphology-communities-louvain';

export { UndirectedGraph } from 'graphology';

/** The types of the package describe its default export as a property. At run time, it is the module itself. */
export const louvain = communities as unknown as typeof communities.default;
