import { topPaths } from './top-paths.ts'
import { tutorialNames } from './tutorials.ts'

/** Every public address without its language. */
export const sitePaths = [...topPaths, ...tutorialNames.map((name) => `/tutorial/${name}` as const)] as const
