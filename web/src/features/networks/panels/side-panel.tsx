import {
  EyeOutlined,
  HistoryOutlined,
  PieChartOutlined,
  PlayCircleOutlined,
  SlidersOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import { ConfigProvider } from 'antd'
import {
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useQuietFetch } from '../../../lib/quiet.ts'
import { useMedia } from '../../../ui/hooks/use-media.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import type { SideTab } from '../editor/screen.ts'
import { useScreen, useScreenStore } from '../editor/screen.ts'
import { useEditor } from '../editor/use-editor.ts'
import { SettingsTab } from './settings/settings-tab.tsx'
import styles from './side-panel.module.css'

// The settings are there from the start: Enter on a node goes on in their first field at once.
const ProblemsTab = lazyPart(async () => (await import('./problems/problems-tab.tsx')).ProblemsTab)
const CostTab = lazyPart(async () => (await import('./cost/cost-tab.tsx')).CostTab)
const VersionsTab = lazyPart(async () => (await import('./versions/versions-tab.tsx')).VersionsTab)
const LookTab = lazyPart(async () => (await import('./look/look-tab.tsx')).LookTab)
const TrainTab = lazyPart(async () => (await import('./train/train-tab.tsx')).TrainTab)
const next = [ProblemsTab, CostTab, VersionsTab, TrainTab, LookTab]

/** Everything about the drawn network beside its canvas, one subject at a time. */
export function SidePanel() {
  const id = useId()
  const screen = useScreenStore()
  const chosen = useScreen(({ tab }) => tab)
  const body = useFocusedField()
  useQuietFetch(next)
  const { Content } = tabs.find(({ name }) => name === chosen) ?? tabs[0]
  const isCoarse = useMedia('(pointer: coarse)')
  return (
    <ConfigProvider theme={isCoarse ? fingers : pointer}>
      <div className={styles.side}>
        <TabList id={id} chosen={chosen} onChoose={(tab) => screen.getState().set({ tab })} />
        <div
          ref={body}
          className={styles.body}
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-${chosen}`}
        >
          <Suspense fallback={<Loading count={3} />}>
            <Content />
          </Suspense>
        </div>
      </div>
    </ConfigProvider>
  )
}

/** Small fields and buttons of a panel: dense beside a mouse, large enough under a finger. */
const components = { Button: { contentFontSizeSM: 14 } }
const pointer = { components }
const fingers = { token: { controlHeightSM: 42 }, components }

/** Whoever asks for the settings (Enter on a node) goes on typing in their first field. */
function useFocusedField() {
  const body = useRef<HTMLDivElement>(null)
  const turn = useScreen(({ fieldTurn }) => fieldTurn)
  useEffect(() => {
    if (turn === 0) return
    const fields = body.current?.querySelector('[data-fields]') ?? body.current
    fields?.querySelector<HTMLElement>('input, textarea, button[role="switch"]')?.focus()
  }, [turn])
  return body
}

const tabs = [
  { name: 'settings', icon: <SlidersOutlined aria-hidden />, Content: SettingsTab },
  { name: 'problems', icon: <WarningOutlined aria-hidden />, Content: ProblemsTab },
  { name: 'cost', icon: <PieChartOutlined aria-hidden />, Content: CostTab },
  { name: 'versions', icon: <HistoryOutlined aria-hidden />, Content: VersionsTab },
  { name: 'look', icon: <EyeOutlined aria-hidden />, Content: LookTab },
  { name: 'train', icon: <PlayCircleOutlined aria-hidden />, Content: TrainTab },
] as const satisfies readonly { name: SideTab; icon: ReactNode; Content: ComponentType }[]

type TabListProps = { id: string; chosen: SideTab; onChoose: (name: SideTab) => void }

function TabList({ id, chosen, onChoose }: TabListProps) {
  const { t } = useTranslation('dripe-panels')
  const handleKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = tabs.findIndex(({ name }) => name === chosen)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (next === undefined) return
    onChoose(next.name)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus()
  }
  return (
    <div role="tablist" aria-label={t('tab.all')} className={styles.tabs} onKeyDown={handleKeyDown}>
      {tabs.map(({ name, icon }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${id}-${name}`}
          data-tab={name}
          className={styles.tab}
          aria-selected={name === chosen}
          aria-controls={`${id}-panel`}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          <span className={styles.icon}>{icon}</span>
          {t(`tab.${name}`)}
          {name === 'problems' ? <ProblemCount /> : null}
        </button>
      ))}
    </div>
  )
}

function ProblemCount() {
  const errors = useEditor(({ resolved }) => resolved.errors.length)
  const warnings = useEditor(({ resolved }) => resolved.warnings.length)
  if (errors + warnings === 0) return null
  return (
    <span className={styles.count} data-kind={errors > 0 ? 'error' : 'warning'}>
      {errors > 0 ? errors : warnings}
    </span>
  )
}
