/** Addresses of the page's places, as links have them. */
import { hashOf, type Place, type Route } from './router';

/** The address of a place, with the benchmark and the options of a route. */
export const hrefOf = (route: Route, place: Place): string => hashOf({ ...route, place });
