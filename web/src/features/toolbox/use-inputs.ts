import { useLocation } from 'react-router'

/** What a tool was used on before, when it is opened again from the history. */
export function useInputs(): Readonly<Record<string, string>> {
  const { state } = useLocation()
  if (typeof state !== 'object' || state === null || !('inputs' in state)) return {}
  const { inputs } = state
  if (typeof inputs !== 'object' || inputs === null) return {}
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}
