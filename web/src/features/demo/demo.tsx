import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import styles from './demo.module.css'
import measured from './model/measured.json'
import poster from './model/poster.webp'
import { Tools } from './tools.tsx'

const Live = lazyPart(async () => (await import('./live.tsx')).Live)

/** "Draw your own cells": a network of this product at work in the visitor's own browser, loaded when asked for. */
export function Demo() {
  const { t } = useTranslation('demo')
  const [isTried, setTried] = useState(false)
  return (
    <section className={styles.demo} aria-labelledby="demo-title">
      <div className={styles.words}>
        <h2 id="demo-title">{t('title')}</h2>
        <p>{t('text')}</p>
      </div>
      {isTried ? (
        <Suspense fallback={<Poster action={<Button busy>{t('loading')}</Button>} />}>
          <Live />
        </Suspense>
      ) : (
        <Poster
          action={
            <Button size="large" onClick={() => setTried(true)}>
              {t('try')}
            </Button>
          }
        />
      )}
      <div className={styles.facts}>
        <Measured />
        <p>{t('drawn')}</p>
      </div>
    </section>
  )
}

/** As large as the live stage, so that nothing moves when that takes its place. */
function Poster({ action }: { action: ReactNode }) {
  const { t } = useTranslation('demo')
  return (
    <div className={styles.side}>
      <div className={styles.stage}>
        <img src={poster} width={768} height={768} alt={t('poster')} loading="lazy" decoding="async" />
        <div className={styles.action}>{action}</div>
      </div>
      <p className={styles.readout}>{t('cost')}</p>
      <div className={styles.reserve} aria-hidden="true" inert>
        <Tools isOutlined />
      </div>
    </div>
  )
}

/** What `npm run demo-model` measured when it made the network. */
function Measured() {
  const { t } = useTranslation('demo')
  const { pictures, trainingPictures, dice, thresholdDice, exactCounts } = measured
  return (
    <dl className={styles.measured}>
      <div>
        <dt>{t('measured.network', { count: pictures })}</dt>
        <dd>{formatNumber(dice, 2)}</dd>
      </div>
      <div>
        <dt>{t('measured.threshold')}</dt>
        <dd>{formatNumber(thresholdDice, 2)}</dd>
      </div>
      <div>
        <dt>{t('measured.counts')}</dt>
        <dd>{t('measured.of', { exact: exactCounts, pictures })}</dd>
      </div>
      <div>
        <dt>{t('measured.training')}</dt>
        <dd>{formatNumber(trainingPictures)}</dd>
      </div>
    </dl>
  )
}
