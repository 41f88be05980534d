import type { Run } from '@neuroloom/contract/runs'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

type Begun = NonNullable<Run['startFrom']>

/** Which earlier training a run began with, how much of it, and what that means for its figures. */
export function BegunWith({ from }: { from: Begun }) {
  const { t } = useTranslation('queue')
  const name = t(from.isSameProject ? 'begun.own' : 'begun.other', { number: from.number })
  return (
    <>
      <Alert
        type="info"
        showIcon
        title={from.taken ? <Taken taken={from.taken} name={name} /> : t('begun.will', { name })}
        action={from.isSameProject ? <Link to={`/run?id=${from.id}`}>{t('news.open')}</Link> : null}
      />
      {from.hasSeenTest ? (
        <Alert type="warning" showIcon title={t('begun.seenTitle')} description={t('begun.seen')} />
      ) : null}
    </>
  )
}

function Taken({ taken, name }: { taken: NonNullable<Begun['taken']>; name: string }) {
  const { t } = useTranslation('queue')
  const { layers, ofLayers } = taken
  return (
    <>
      {t('begun.taken', { taken: layers, count: ofLayers, name })}{' '}
      {layers < ofLayers ? t('begun.rest') : null}
    </>
  )
}
