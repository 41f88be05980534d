/** Short messages over the page: which one is to be seen. Drawn by ui/toaster.tsx; knows nothing of React trees. */
import { toast as limits } from '@neuroloom/contract/limits'

export type ToastKind = 'success' | 'warning' | 'error'
export type ToastAction = { label: string; onClick: () => void }
export type Toast = { id: number; kind: ToastKind; text: string; action: ToastAction | null }

type Options = {
  /** A button in the toast, such as undo; the toast stays longer and replaces a visible one. */
  action?: ToastAction
  /** Shows beside a visible toast instead of being dropped. */
  stack?: boolean
}

export const toast = {
  success: (text: string, options?: Options) => show('success', text, options),
  warning: (text: string, options?: Options) => show('warning', text, options),
  error: (text: string, options?: Options) => show('error', text, options),
}

export const visibleToasts = (): readonly Toast[] => visible

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function dismissToast(id: number): void {
  visible = visible.filter((one) => one.id !== id)
  for (const listener of listeners) listener()
}

const listeners = new Set<() => void>()
let visible: readonly Toast[] = []
let lastId = 0

/** One at a time: a new toast appears only if none is visible. */
function show(kind: ToastKind, text: string, { action, stack = false }: Options = {}): void {
  const replaces = action !== undefined || visible.some((one) => one.action !== null)
  if (visible.length > 0 && !stack && !replaces) return
  lastId += 1
  const added: Toast = { id: lastId, kind, text, action: action ?? null }
  visible = stack ? [...visible, added] : [added]
  for (const listener of listeners) listener()
  setTimeout(() => dismissToast(added.id), action ? limits.actionMs : limits.durationMs)
}
