import { setInput } from '@neuroloom/contract/network/edit/frame'
import { nearestSize } from '@neuroloom/contract/network/resolve/sizes'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import styles from './inspector.module.css'
import { useAllowedSizes } from './use-allowed-sizes.ts'

/** Which picture sizes the network works with; where the present one does not, the nearest that does. */
export function AllowedSizesNote({ name }: { name: string }) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const input = useEditor(({ document }) => document.inputs.get(name))
  const type = useEditor(({ resolved }) => resolved.types.get(`@${name}`))
  const allowed = useAllowedSizes()
  if (input?.size === undefined) return null
  if (allowed === null) return <p className={styles.sizes}>{t('sizes.searching')}</p>
  if (allowed.works.length === 0) return <p className={styles.sizes}>{t('sizes.none')}</p>
  const now = type?.k === 'map' ? type.s : input.size.filter((side) => typeof side === 'number')
  const next = now.map((side) => nearestOf(side, allowed) ?? side)
  const isFine = next.every((side, k) => side === now[k])
  const apply = () => store.getState().edit((document) => setInput(document, name, { ...input, size: next }))
  return (
    <div className={styles.sizes}>
      <span>{rule(allowed.multipleOf)}</span>
      {isFine ? null : (
        <Button size="small" onClick={apply}>
          {t('sizes.take', { size: next.join(' × ') })}
        </Button>
      )}
    </div>
  )

  function rule(multipleOf: number | null): string {
    if (multipleOf === 1) return t('sizes.any', { first: allowed?.works[0] ?? 1 })
    if (multipleOf !== null) return t('sizes.multiples', { multiple: multipleOf })
    return t('sizes.some', { sizes: allowed?.works.slice(0, 6).join(', ') ?? '' })
  }
}

type Allowed = Parameters<typeof nearestSize>[0]

/** Beyond the sizes that were tried the rule goes on. */
function nearestOf(side: number, allowed: Allowed): number | null {
  const last = allowed.works.at(-1) ?? 0
  const { multipleOf } = allowed
  if (side <= last || multipleOf === null) return nearestSize(allowed, side)
  return Math.round(side / multipleOf) * multipleOf
}
