import { Modal } from 'antd'
import { Fragment, type ReactNode, Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { lazyPart } from '../ui/lazy-part.tsx'
import styles from './shortcut-sheet.module.css'

/** The editors and the viewer tell their own keys. */
const NetworkKeys = lazyPart(async () => (await import('../features/networks/editor/keys-help.tsx')).KeyList)
const LabellingKeys = lazyPart(async () => (await import('../features/labelling/editor/help.tsx')).KeyList)
const ViewerKeys = lazyPart(async () => (await import('./viewer-keys.tsx')).ViewerKeys)

/** All shortcuts of the place that one is in: those that count everywhere first. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shortcuts')
  const { pathname } = useLocation()
  return (
    <Modal open title={t('title')} footer={null} onCancel={onClose} width={760}>
      <Section name="everywhere" note={t('note')}>
        <Keys of="everywhere" />
      </Section>
      <Section name="search">
        <Keys of="search" />
      </Section>
      {placesAt(pathname).map((name) => (
        <Section key={name} name={name} {...(name === 'viewer' ? { note: t('viewerNote') } : {})}>
          <Suspense fallback={null}>{parts[name]}</Suspense>
        </Section>
      ))}
    </Modal>
  )
}

const parts = {
  folder: <Keys of="folder" />,
  gallery: <Keys of="gallery" />,
  viewer: <ViewerKeys />,
  labelling: <LabellingKeys />,
  dripe: <NetworkKeys />,
} satisfies Record<string, ReactNode>
type Place = keyof typeof parts

const withFolders: readonly Place[] = ['folder', 'viewer']
const withGallery: readonly Place[] = ['gallery']
const places = new Map<string, readonly Place[]>([
  ['/cloudHome', withFolders],
  ['/cloudFile', withFolders],
  ['/shareFile', withFolders],
  ['/projectFile', withFolders],
  ['/projectDetail', withGallery],
  ['/run', withGallery],
  ['/socialHome', withGallery],
  ['/labelling', ['labelling']],
  ['/dripe', ['dripe']],
  ['/yamlCode', ['dripe']],
])

const placesAt = (pathname: string): readonly Place[] => places.get(pathname) ?? []

type Known = 'everywhere' | 'search' | 'folder' | 'gallery'

/** What each key does, by its text; of several any one does it. */
const shown: Record<Known, Readonly<Record<string, readonly string[]>>> = {
  everywhere: { search: ['/', 'Ctrl K'], help: ['?'], skip: ['Tab'], close: ['Esc'] },
  search: { move: ['↓ ↑'], open: ['Enter'], close: ['Esc'] },
  folder: { all: ['Ctrl A'], clear: ['Esc'], remove: ['Delete'], rename: ['F2'] },
  gallery: { turn: ['← →'], zoom: ['+ − 0'], toggle: ['A – Z'], close: ['Esc'] },
}

function Keys({ of }: { of: Known }) {
  const { t } = useTranslation('shortcuts')
  return (
    <dl className={styles.keys}>
      {Object.entries(shown[of]).map(([name, keys]) => (
        <div key={name}>
          <dt>
            {keys.map((key, index) => (
              <Fragment key={key}>
                {index > 0 && ` ${t('or')} `}
                <kbd>{isMac ? key.replace('Ctrl', '⌘') : key}</kbd>
              </Fragment>
            ))}
          </dt>
          <dd>{t(`${of}.${name}`)}</dd>
        </div>
      ))}
    </dl>
  )
}

const isMac = navigator.userAgent.includes('Mac')

type SectionProps = { name: 'everywhere' | 'search' | Place; note?: string; children: ReactNode }

function Section({ name, note, children }: SectionProps) {
  const { t } = useTranslation('shortcuts')
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h3 id={id}>{t(`place.${name}`)}</h3>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {children}
    </section>
  )
}
