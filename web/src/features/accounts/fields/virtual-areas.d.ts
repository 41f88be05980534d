/** Made at build time by build/areas.ts: value, label and, where there is a lower level, what is in it. */
declare module 'virtual:areas/*' {
  type AreaNode = [value: string, label: string, children?: AreaNode[]]
  export const areas: AreaNode[]
}
