import { useReactFlow } from '@xyflow/react'
import { Dropdown, type MenuProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { onlyOne } from '../editor/chosen.ts'
import { addComment, isComment } from '../editor/comments.ts'
import { disconnect } from '../editor/connecting.ts'
import { type CommandName, run } from '../editor/keys.ts'
import { useWorkbench } from '../editor/workbench.ts'
import { frameAt } from './cards/frame-at.ts'

type Menu = { x: number; y: number; wire: string | null }

/** What can be done with what was clicked with the right button, or held with a finger. */
export function ContextMenu({ menu, onClose: close }: { menu: Menu; onClose: () => void }) {
  const items = useItems(menu)
  return (
    <Dropdown
      open
      trigger={['click']}
      menu={{ items, autoFocus: true, onClick: close, style: whole }}
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
    >
      <span style={{ position: 'fixed', left: menu.x, top: topFor(menu.y, items), width: 1, height: 1 }} />
    </Dropdown>
  )
}

const whole = { maxHeight: 'calc(100dvh - 24px)', overflowY: 'auto' } as const
/** Pixels of a line of the menu, of a divider, and around all of them. */
const heights = { line: 38, divider: 9, around: 24 } as const

/** So high that its last line can be reached: on a phone there is often room neither below nor above. */
function topFor(y: number, items: NonNullable<MenuProps['items']>): number {
  const { line, divider, around } = heights
  const height = items.reduce<number>(
    (sum, item) => sum + (item?.type === 'divider' ? divider : line),
    around,
  )
  return Math.max(0, Math.min(y, window.innerHeight - height))
}

const alignments = [
  'alignLeft',
  'alignCentre',
  'alignRight',
  'alignTop',
  'alignMiddle',
  'alignBottom',
  'distributeAcross',
  'distributeDown',
] as const satisfies readonly CommandName[]

function useItems({ x, y, wire }: Menu): NonNullable<MenuProps['items']> {
  const { t } = useTranslation('dripe')
  const bench = useWorkbench()
  const { screenToFlowPosition } = useReactFlow()
  if (wire !== null) {
    const bar = wire.lastIndexOf('|')
    const place = { target: wire.slice(0, bar), slot: Number(wire.slice(bar + 1)) }
    return [{ key: 'cut', label: t('menu.disconnect'), onClick: () => disconnect(bench, place) }]
  }
  const one = (name: CommandName) => ({
    key: name,
    label: t(`keys.${name}`),
    onClick: () => run(bench, name),
  })
  const { selection } = bench.store.getState()
  if (selection.size === 0) {
    const insertHere = () => {
      const point = screenToFlowPosition({ x, y })
      bench.screen.getState().set({ quick: { ...frameAt(bench.scene, [point.x, point.y]), from: null } })
    }
    const commentHere = () => {
      const point = screenToFlowPosition({ x, y })
      addComment(bench, [point.x, point.y])
    }
    return [
      { key: 'insertHere', label: t('menu.insertHere'), onClick: insertHere },
      one('paste'),
      { key: 'commentHere', label: t('menu.commentHere'), onClick: commentHere },
      { type: 'divider' },
      one('selectAll'),
      one('fit'),
      one('layOut'),
      one('turn'),
    ]
  }
  if ([...selection].every(isComment)) return [{ ...one('remove'), danger: true }]
  const { held } = bench.store.getState().layout
  const isHeld = held?.some((path) => selection.has(path)) ?? false
  const item = onlyOne(bench)
  const isBlock = item?.kind === 'block' || item?.kind === 'frame'
  const alone = item === null ? [] : [one('insert'), one('connect'), one('swap'), one('rename')]
  return [
    ...alone,
    ...(isBlock ? [one('open'), one('dissolve'), one('ownCopy')] : []),
    { type: 'divider' },
    one('copy'),
    one('cut'),
    one('duplicate'),
    one('group'),
    one('bypass'),
    one('more'),
    one('fewer'),
    ...(selection.size > 1 ? [{ key: 'align', label: t('menu.align'), children: alignments.map(one) }] : []),
    ...(isHeld ? [one('release')] : []),
    { type: 'divider' },
    { ...one('remove'), danger: true },
  ]
}
