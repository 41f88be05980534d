import { useScreen } from '../editor/screen.ts'

/** Says aloud what the last action did. The same text twice is told twice. */
export function LiveRegion() {
  const { text, turn } = useScreen((screen) => screen.told)
  return (
    <div className="nl-hidden" role="status" aria-live="polite">
      {text}
      {turn % 2 === 1 ? '\u00a0' : ''}
    </div>
  )
}
