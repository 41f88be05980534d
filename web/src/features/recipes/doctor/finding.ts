import type { Repair } from '@neuroloom/contract/recipes/repair'

/** What can be done about it; those without repairs leave the mask as it is, `leave` leaves the pair out. */
export type Option = { name: OptionName; repairs: Repair[] }
export type OptionName =
  | 'keep'
  | 'rename'
  | 'pair'
  | 'leave'
  | 'camera'
  | 'right'
  | 'left'
  | 'size'
  | 'cut'
  | 'grid'
  | 'place'
  | 'numbers'
  | 'one'
  | 'threshold'
  | 'background'

export type Finding = {
  kind:
    | 'unread'
    | 'guessed'
    | 'named'
    | 'camera'
    | 'turned'
    | 'size'
    | 'scaled'
    | 'depth'
    | 'axes'
    | 'space'
    | 'noPlace'
    | 'lossy'
    | 'many'
    | 'colours'
    | 'palette'
    | 'empty'
    | 'bright'
    | 'unknown'
  /** The first is proposed. */
  options: Option[]
  /** Whether the proposal stands until somebody says otherwise; what is unsure is asked. */
  isSure: boolean
}

/** What all masks of the folder have in common. */
export type Folder = {
  /** Values other than background, of masks that are numbers. */
  numbers: string[]
  colours: string[]
  /** Values that mean something, where somebody said so. */
  classes: readonly string[] | null
}

export const keep: Option = { name: 'keep', repairs: [] }
export const rename: Option = { name: 'rename', repairs: [] }
export const pair: Option = { name: 'pair', repairs: [] }
export const leave: Option = { name: 'leave', repairs: [] }

/** 0, or black. */
export const isBackground = (value: string): boolean => /^(0|#0{6})$/.test(value)
