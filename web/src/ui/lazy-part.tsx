/** A part of a page that is loaded when it is first shown. What does not come, or breaks, is told in its own place with another try; the page around it and the work in it stay. */
import {
  Component,
  type ComponentType,
  type FunctionComponent,
  lazy,
  type ReactNode,
  useEffect,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { LostPart } from '../lib/bring.ts'
import { reload, reloadOnce } from '../lib/reload.ts'
import { Button } from './button.tsx'
import styles from './states.module.css'

/** `over`: a dialog, whose place on the page nobody sees; `isPage`: all of a page, on which nothing was done yet. */
type Options = { over?: boolean; isPage?: boolean }

export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { over = false, isPage = false }: Options = {},
): FunctionComponent<Props & { onClose?: (() => void) | undefined }> & { load: () => Promise<unknown> } {
  // React keeps a failed attempt for good, so each try is a new one; a part that came is shared by all.
  const attempt = () => lazy(async () => ({ default: await load() }))
  let latest = attempt()
  const renew = () => {
    latest = attempt()
  }
  function LazyPart(props: Props & { onClose?: (() => void) | undefined }) {
    const [Part, setPart] = useState(() => latest)
    const again = () => {
      renew()
      setPart(() => latest)
    }
    return (
      <Boundary again={again} renew={renew} over={over} isPage={isPage} onClose={props.onClose}>
        <Part {...props} />
      </Boundary>
    )
  }
  return Object.assign(LazyPart, { load })
}

/** For routes: a page that does not come is told in its place too, and the router never keeps a failed attempt. */
export async function page(load: () => Promise<ComponentType>): Promise<{ Component: ComponentType }> {
  try {
    return { Component: await load() }
  } catch {
    return { Component: lazyPart(load, { isPage: true }) }
  }
}

type BoundaryProps = {
  again: () => void
  /** Whoever shows the part next tries anew. */
  renew: () => void
  over: boolean
  isPage: boolean
  onClose: (() => void) | undefined
  children: ReactNode
}

class Boundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    const { children, again, ...rest } = this.props
    if (error === null) return children
    const retry = () => {
      again()
      this.setState({ error: null })
    }
    return <Missing error={error} retry={retry} {...rest} />
  }
}

type MissingProps = Omit<BoundaryProps, 'children' | 'again'> & { error: unknown; retry: () => void }

function Missing({ error, retry, renew, over, isPage, onClose }: MissingProps) {
  const { t } = useTranslation('common')
  const kind = kindOf(error)
  useEffect(() => renew, [renew])
  useEffect(() => {
    if (kind === 'gone' && isPage) void reloadOnce()
  }, [kind, isPage])
  useEffect(() => {
    if (kind !== 'lost') return
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [kind, retry])
  return (
    <div className={over ? styles.over : styles.part} role="alert">
      <p>{t(`part.${kind}`)}</p>
      <div className={styles.action}>
        <Button look="quiet" onClick={kind === 'gone' ? () => void reload() : retry}>
          {t(kind === 'gone' ? 'part.reload' : 'retry')}
        </Button>
        {onClose && (
          <Button look="quiet" onClick={onClose}>
            {t('close')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** An import that fails although its files came is remembered by the browser: only a fresh page helps. */
function kindOf(error: unknown): 'lost' | 'gone' | 'broken' {
  if (error instanceof LostPart) return error.isGone ? 'gone' : 'lost'
  return error instanceof TypeError && /import|module/i.test(error.message) ? 'gone' : 'broken'
}
