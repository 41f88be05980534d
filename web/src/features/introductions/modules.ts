/** Each module's digit in a member's `showIntroduce`. */
export const digits = { project: '1', cloud: '2', toolbox: '3', social: '4', order: '5' } as const
export type IntroducedModule = keyof typeof digits
