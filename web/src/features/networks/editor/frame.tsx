import { CloseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useQuietFetch } from '../../../lib/quiet.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Canvas } from '../canvas/canvas.tsx'
import { Palette } from '../canvas/palette.tsx'
import { CostBar } from '../panels/cost/cost-bar.tsx'
import { SidePanel } from '../panels/side-panel.tsx'
import styles from './frame.module.css'
import { Header } from './header.tsx'
import type { Journal } from './journal.ts'
import type { Opened } from './opening.ts'
import { PhoneBar } from './phone-bar.tsx'
import { useScreen, useScreenStore } from './screen.ts'
import { useClose } from './use-close.ts'
import { useEditor } from './use-editor.ts'
import { useKeys } from './use-keys.ts'

const CodeSide = lazyPart(async () => (await import('../panels/code/code-side.tsx')).CodeSide)
const Dialogs = lazyPart(async () => (await import('./dialogs.tsx')).Dialogs, { over: true })
const next = [Dialogs, CodeSide]

type Props = { opened: Opened; journal: Journal; saveNow: () => void; isWide: boolean }

/** Header, palette, canvas, text, side panel and cost, without a scroll of the page. */
export function Frame({ opened, journal, saveNow, isWide }: Props) {
  const { t } = useTranslation('dripe')
  useKeys(saveNow)
  useQuietFetch(next)
  const isPaletteOpen = useScreen((screen) => screen.isPaletteOpen)
  const isSideOpen = useScreen((screen) => screen.isSideOpen)
  const isCodeOpen = useScreen((screen) => screen.isCodeOpen)
  const closeDialog = useClose()
  const isAsking = useScreen((screen) => screen.dialog !== null)
  return (
    <div className={styles.frame}>
      <Header />
      <Notices opened={opened} journal={journal} />
      <div className={styles.middle}>
        {isPaletteOpen && (
          <Sheet part="isPaletteOpen" className={styles.palette ?? ''} name={t('header.palette')}>
            <Palette />
          </Sheet>
        )}
        <div className={styles.canvas}>
          <Canvas />
        </div>
        {isCodeOpen && (
          <Sheet
            part="isCodeOpen"
            className={`${styles.code} ${isWide ? styles.wide : ''}`}
            name={t('header.code')}
          >
            <Suspense fallback={<Loading count={6} />}>
              <CodeSide />
            </Suspense>
          </Sheet>
        )}
        {isSideOpen && (
          <Sheet part="isSideOpen" className={styles.side ?? ''} name={t('header.side')}>
            <SidePanel />
          </Sheet>
        )}
      </div>
      <CostBar />
      <PhoneBar />
      {isAsking && (
        <Suspense fallback={null}>
          <Dialogs onClose={closeDialog} />
        </Suspense>
      )}
    </div>
  )
}

// Few networks have any of them.
const Conflict = lazyPart(async () => (await import('./notice-alerts.tsx')).Conflict)
const Restored = lazyPart(async () => (await import('./notice-alerts.tsx')).Restored)
const Stale = lazyPart(async () => (await import('./notice-alerts.tsx')).Stale)

/** What has to be decided about states that differ: after a crash, and when the network was changed elsewhere. */
function Notices({ opened, journal }: { opened: Opened; journal: Journal }) {
  const isConflict = useEditor(({ saveState }) => saveState === 'conflict')
  return (
    <Suspense fallback={null}>
      {isConflict && <Conflict />}
      {opened.unsaved !== null && <Restored draft={opened.unsaved} />}
      {opened.stale !== null && <Stale draft={opened.stale} journal={journal} />}
    </Suspense>
  )
}

type Part = 'isPaletteOpen' | 'isSideOpen' | 'isCodeOpen'
type SheetProps = { part: Part; className: string; name: string; children: ReactNode }

/** A panel beside the canvas; on a phone it lies over it from below. */
function Sheet({ part, className, name, children }: SheetProps) {
  const { t } = useTranslation('dripe')
  const screen = useScreenStore()
  return (
    <aside className={`${styles.sheet} ${className}`} aria-label={name} data-sheet>
      <div className={styles.sheetHead}>
        <strong>{name}</strong>
        <Button
          type="text"
          icon={<CloseOutlined />}
          aria-label={t('header.close', { name })}
          onClick={() => screen.getState().set({ [part]: false })}
        />
      </div>
      {children}
    </aside>
  )
}
