import type { Examination, Examined } from '@neuroloom/contract/recipes/doctor'
import type { Preparation } from '@neuroloom/contract/recipes/recipes'
import { Alert, Button, Input, Progress, Select } from 'antd'
import { useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Panel } from '../../../ui/page.tsx'
import styles from './doctor.module.css'
import { folderOf } from './findings.ts'
import { GroupCard } from './group-card.tsx'
import { type Choices, chosenIn, classesIn, groupsOf, repairsOf } from './groups.ts'
import { useExamination } from './use-examination.ts'

type DoctorProps = { folderId: string; name: string; onStarted: (work: Preparation) => void }

/** Looks through a folder of images and masks, asks where it is unsure, and makes a folder in which all fits. */
export function Doctor({ folderId, name, onStarted }: DoctorProps) {
  const { t } = useTranslation('doctor')
  const field = useId()
  const [maskIds, setMaskIds] = useState<string[] | null>(null)
  const [round, setRound] = useState(0)
  const [classes, setClasses] = useState('')
  const { found, done, isWhole, error } = useExamination(folderId, maskIds, round)
  const again = (
    <Button onClick={() => setRound(round + 1)} size="small">
      {t('again')}
    </Button>
  )
  return (
    <div className={styles.doctor}>
      <Panel title={name}>
        <div className={styles.fields}>
          {found && (
            <div className={styles.field}>
              <label htmlFor={`${field}-masks`}>{t('masks')}</label>
              <Select
                id={`${field}-masks`}
                mode="multiple"
                value={maskIds ?? found.maskIds}
                placeholder={t('masksByName')}
                options={found.folders.map(({ id, path, images }) => ({
                  value: id,
                  label: `${path === '' ? t('thisFolder') : path} (${formatNumber(images)})`,
                }))}
                onChange={setMaskIds}
              />
            </div>
          )}
          <div className={styles.field}>
            <label htmlFor={`${field}-classes`}>{t('classes')}</label>
            <Input
              id={`${field}-classes`}
              value={classes}
              maxLength={300}
              placeholder="0, 1, 2"
              onChange={({ target }) => setClasses(target.value)}
            />
          </div>
        </div>
        {error !== null && (
          <Alert type="error" showIcon title={<RefusalText error={error} />} action={again} />
        )}
        {!found && error === null && <Loading shape="rows" count={3} />}
        {found && !isWhole && error === null && (
          <Progress
            percent={Math.floor((100 * done) / Math.max(1, found.total))}
            status="active"
            aria-label={t('looking')}
          />
        )}
        {found && isWhole && <Summary found={found} />}
      </Panel>
      {found && isWhole && (
        <Mending
          key={`${round} ${classes} ${found.maskIds.join()}`}
          {...{ folderId, name, found, classes, onStarted }}
        />
      )}
    </div>
  )
}

function Summary({ found: { total, imagesAlone, masksAlone } }: { found: Examination }) {
  const { t } = useTranslation('doctor')
  const alone = [
    { key: 'imagesAlone', files: imagesAlone },
    { key: 'masksAlone', files: masksAlone },
  ] as const
  return (
    <div className={styles.summary}>
      <p>{t('pairs', { count: total, shown: formatNumber(total) })}</p>
      {alone.map(
        ({ key, files }) =>
          files.length > 0 && (
            <details key={key}>
              <summary>{t(key, { count: files.length, shown: formatNumber(files.length) })}</summary>
              <ul className={styles.files}>
                {files.slice(0, 200).map(({ id, path }) => (
                  <li key={id}>{path}</li>
                ))}
              </ul>
            </details>
          ),
      )}
    </div>
  )
}

type MendingProps = DoctorProps & { found: Examination; classes: string }

function Mending({ folderId, name, found: { pairs }, classes, onStarted }: MendingProps) {
  const { t } = useTranslation('doctor')
  const field = useId()
  const [choices, setChoices] = useState<Choices>(new Map())
  const [shown, setShown] = useState<string | null>(null)
  const [result, setResult] = useState(t('result', { name }))
  const start = useAction('recipes/start', { refresh: ['recipes/works'], onDone: onStarted })
  const folder = useMemo(() => folderOf(pairs, classesIn(classes)), [pairs, classes])
  const groups = useMemo(() => groupsOf(pairs, folder), [pairs, folder])
  const open = groups.filter((group) => chosenIn(group, choices) === null).length
  const mended = (pair: Examined) => repairsOf(pair, { folder, groups, choices })
  const work = pairs.flatMap((pair) => {
    const repairs = mended(pair)
    return repairs === null ? [] : [{ imageId: pair.image.id, maskId: pair.mask.id, repairs }]
  })
  const changed = work.filter(({ repairs }) => repairs.length > 0).length
  return (
    <>
      {groups.length === 0 && <Alert type="success" showIcon title={t('allFits')} />}
      {groups.map((group) => (
        <GroupCard
          key={group.key}
          group={group}
          chosen={chosenIn(group, choices)}
          isShown={shown === group.key}
          repairsOf={mended}
          onChoose={(option) => setChoices(new Map(choices).set(group.key, option))}
          onShow={() => setShown(shown === group.key ? null : group.key)}
        />
      ))}
      {groups.length > 0 && (
        <Panel title={t('make.title')}>
          <div className={styles.make}>
            <p>
              {t('make.text', {
                count: work.length,
                shown: formatNumber(work.length),
                changed: formatNumber(changed),
              })}
            </p>
            {open > 0 && <Alert type="warning" showIcon title={t('make.open', { count: open })} />}
            <div className={styles.field}>
              <label htmlFor={field}>{t('make.name')}</label>
              <Input
                id={field}
                value={result}
                maxLength={200}
                onChange={({ target }) => setResult(target.value)}
              />
            </div>
            <Button
              type="primary"
              size="large"
              disabled={open > 0 || work.length === 0 || result.trim() === ''}
              loading={start.isPending}
              onClick={() =>
                start.mutate({ work: { kind: 'repair', folderId, pairs: work }, name: result.trim() })
              }
            >
              {t('make.start')}
            </Button>
          </div>
        </Panel>
      )}
    </>
  )
}
