import type { Place } from '../state/router';

/** What the page is called in the browser's tab and history. */
export function titleOf(place: Place): string {
  switch (place.view) {
    case 'overview':
      return 'Overview';
    case 'samples':
      return 'Samples';
    case 'sample':
      return `Sample ${place.id}`;
    case 'plots':
      return 'Plots';
    case 'incidents':
      return 'Incidents';
    case 'compare':
      return 'Compare';
    case 'judge':
      return 'Judge';
    case 'metrics':
      return 'Metrics';
    case 'generate':
      return 'Generate';
    case 'agents':
      return 'Agents';
    case 'rate':
      return 'Rate';
    case 'agreement':
      return 'Judges and people';
    case 'lint':
      return 'Output check';
    case 'experiments':
      return 'Experiments';
    case 'statistics':
      return 'Statistics';
    case 'dar':
      return 'Attention rebalancing';
    case 'make':
      return 'Make a benchmark';
    case 'embed':
      return 'Embed';
    case 'manual':
      return 'Manual';
    case 'about':
      return 'About';
  }
}
