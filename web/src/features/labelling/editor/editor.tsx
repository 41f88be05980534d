import type { ReadingState } from '@neuroloom/contract/labelling/labelling'
import { client } from '@neuroloom/contract/limits'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Spin } from 'antd'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { call } from '../../../lib/api.ts'
import { useLive } from '../../../lib/live.ts'
import { refreshPaths } from '../../../lib/query.ts'
import { useUser } from '../../../lib/session.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useTitle } from '../../../ui/page.tsx'
import { type OpenedReading, type Opening, openReading } from '../journal/opening.ts'
import { openSource } from '../source/open-source.ts'
import type { Source } from '../source/source.ts'
import { videoSource } from '../source/video.ts'
import { Pins } from '../talk/pins.tsx'
import { useTalk } from '../talk/use-talk.ts'
import { commandsOf } from './commands.ts'
import styles from './editor.module.css'
import { Header } from './header.tsx'
import { Help } from './help.tsx'
import { Left } from './left.tsx'
import { Planes } from './planes.tsx'
import { Side } from './side.tsx'
import { type Started, start, toolsOf } from './start.ts'
import { Toolbar } from './toolbar.tsx'
import { BenchProvider, useDesk } from './use-bench.ts'
import { useKeys } from './use-keys.ts'

type Ready = { opened: OpenedReading; source: Source }
type State =
  | { kind: 'opening' }
  | { kind: 'waiting' | 'refused'; answer: Opening }
  | { kind: 'failed'; error: unknown }
  | ({ kind: 'ready' } & Ready)

/** What tells of a reading's state elsewhere. */
const tellState = [
  'labelling/items',
  'labelling/detail',
  'labelling/readings',
  'labelling/agreement',
  'labelling/readers',
  'labelling/list',
] as const

type EditorProps = {
  itemId: string
  /** Another one's marks; null = one's own. */
  readingId: string | null
}

/** One image of a set, to be marked. */
export function Editor({ itemId, readingId }: EditorProps) {
  const { t } = useTranslation(['labelling', 'viewing'])
  const [state, setState] = useState<State>({ kind: 'opening' })
  const [tries, setTries] = useState(0)
  const user = useUser()
  const again = useCallback(() => setTries((count) => count + 1), [])
  const isWaiting = state.kind === 'waiting'
  useLive(isWaiting && user ? { kind: 'user', id: user.id } : null, {
    onEvent: ({ type, data }) => type === 'labelImage' && data.itemId === itemId && again(),
  })
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(again, client.pollMs)
    return () => clearInterval(timer)
  }, [isWaiting, again])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try opens anew
  useEffect(() => {
    const stop = new AbortController()
    openAll(itemId, readingId, stop.signal).then(
      (next) => !stop.signal.aborted && setState(next),
      (error) => !stop.signal.aborted && setState({ kind: 'failed', error }),
    )
    return () => stop.abort()
  }, [itemId, readingId, tries])
  switch (state.kind) {
    case 'opening':
      return <Waiting text={t('opening')} />
    case 'waiting':
      return <Waiting text={t('preparing')} />
    case 'failed':
      return <ErrorState error={state.error} retry={again} />
    case 'refused': {
      const reason = state.answer.image.reason
      return (
        <div className={styles.waiting}>
          <Alert
            type="warning"
            showIcon
            title={t(state.answer.item.kind === 'video' ? 'noVideo' : 'refused')}
            description={reason && t(`viewing:reasons.${reason.name}`, reason.params)}
          />
        </div>
      )
    }
    case 'ready':
      return <Work {...state} />
  }
}

async function openAll(itemId: string, readingId: string | null, signal: AbortSignal): Promise<State> {
  const { answer, opened } = await openReading(itemId, signal, { readingId })
  if (answer.image.state === 'refused') return { kind: 'refused', answer }
  if (answer.item.kind === 'video') return openVideo(itemId, { answer, opened, readingId, signal })
  const size = answer.item.size
  if (!opened || !size) return { kind: 'waiting', answer }
  return { kind: 'ready', opened, source: await openSource(answer.image, size, signal) }
}

type First = {
  answer: Opening
  opened: OpenedReading | null
  readingId: string | null
  signal: AbortSignal
}

/** Its size is known only once this page has counted its frames. */
async function openVideo(itemId: string, { answer, opened, readingId, signal }: First): Promise<State> {
  const { openFrames } = await import('../source/frames.ts')
  const frames = await openFrames(answer.image.url ?? '', signal)
  if (!frames) return { kind: 'refused', answer }
  const told = opened ?? (await openReading(itemId, signal, { readingId, measured: frames.size })).opened
  if (!told) return { kind: 'waiting', answer }
  return { kind: 'ready', opened: told, source: videoSource(frames) }
}

function Waiting({ text }: { text: string }) {
  return (
    <div className={styles.waiting} role="status">
      <Spin />
      <p>{text}</p>
    </div>
  )
}

function Work({ opened, source }: Ready) {
  const [started, setStarted] = useState<Started | null>(null)
  useTitle(`${opened.item.name} · ${opened.set.name}`)
  useEffect(() => {
    const begun = start(opened, source, opened.item.size ?? source.size)
    setStarted(begun)
    window.addEventListener('pagehide', begun.leave)
    return () => {
      window.removeEventListener('pagehide', begun.leave)
      begun.end()
    }
  }, [opened, source])
  useLive({ kind: 'reading', id: opened.reading.id }, { onEvent: () => void started?.queue.send() })
  if (!started) return null
  return (
    <BenchProvider value={started.bench}>
      <Frame opened={opened} started={started} />
    </BenchProvider>
  )
}

function Frame({ opened, started }: { opened: OpenedReading; started: Started }) {
  const { t } = useTranslation('labelling')
  const navigate = useNavigate()
  const { bench, queue } = started
  const { set, image, before, next, reading } = opened
  const isBody = image.facts?.layout === 'volume' && bench.body.size[2] > 1
  const [tools] = useState(() => toolsOf(set).filter((name) => name !== 'cross' || isBody))
  const [isHelp, setIsHelp] = useState(false)
  const [isSide, setIsSide] = useState(false)
  const [state, setState] = useState<ReadingState>(reading.state)
  const go = useCallback(
    (itemId: string | null) => {
      if (itemId !== null)
        navigate(`/labelling?set=${encodeURIComponent(set.id)}&item=${encodeURIComponent(itemId)}`)
    },
    [navigate, set.id],
  )
  const goBefore = useCallback(() => go(before), [go, before])
  const goNext = useCallback(() => go(next), [go, next])
  const help = useCallback(() => setIsHelp(true), [])
  useKeys(bench, { before: goBefore, next: goNext, help, tools })
  const talk = useTalk(opened)
  const queries = useQueryClient()
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const change = async (wanted: ReadingState, reason?: string) => {
    bench.journal.settle()
    await queue.send()
    try {
      const changed = await call('labelling/setState', {
        ...{ readingId: reading.id, state: wanted },
        ...(reason === undefined ? {} : { reason }),
      })
      refreshPaths(queries, tellState)
      setState(changed.state)
      if (wanted === 'returned') void talk.query.refetch()
      // Whoever left meanwhile is not brought to another image.
      if (wanted === 'done' && state === 'open' && isHere.current) goNext()
    } catch {
      // The call has told why.
    }
  }
  const facts = image.facts
  return (
    <div className={styles.frame}>
      <Header
        opened={opened}
        state={state}
        onState={(wanted, reason) => void change(wanted, reason)}
        onGo={go}
        onHelp={help}
      />
      <Left opened={opened} />
      {reading.reader !== '' && (
        <Alert
          banner
          type="info"
          title={t(reading.isAgreed ? 'ofAgreed' : 'ofReader', { name: reading.reader })}
        />
      )}
      {(facts?.size[3] ?? 1) > 1 && <Alert banner type="info" title={t('firstTime')} />}
      <div className={styles.middle}>
        <Toolbar tools={tools} commands={commandsOf(set.marks, bench.body.size[2] > 1)} />
        <div className={styles.stage}>
          <Planes isBody={isBody} over={(axis) => <Pins axis={axis} talk={talk} />} />
          <Told />
        </div>
        <div className={styles.sheet} data-open={isSide}>
          <Side opened={opened} talk={talk} />
        </div>
      </div>
      <Button className={styles.opener ?? ''} aria-expanded={isSide} onClick={() => setIsSide(!isSide)}>
        {t('panels')}
      </Button>
      {isHelp && <Help tools={tools} onClose={() => setIsHelp(false)} />}
    </div>
  )
}

/** What has just happened; and how a proposal is taken. */
function Told() {
  const { t } = useTranslation('labelling')
  const told = useDesk((desk) => desk.told)
  const isProposed = useDesk(({ proposal }) => proposal !== null)
  return (
    <p className={styles.told} aria-live="polite">
      {isProposed ? t('told.proposed') : told}
    </p>
  )
}
