/// <reference types="vite/client" />

/** Stands in for the built package where it is absent; `edge.ts` states the real contract. */
declare module '*/pkg/demo/juror_demo.js';
declare module '*/pkg/session/juror_web.js';
declare module '*/pkg/pictures/juror_pictures.js';

/** The demo suites inside a build that fetches nothing; `build/single.ts` names them. */
declare const __JUROR_DEMOS__: readonly string[];
