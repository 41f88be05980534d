import type { Answer } from '@neuroloom/contract/calls'
import type { DayFigures } from '@neuroloom/contract/office/operations'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatBytes, formatDate, formatDuration, formatNumber, formatPercent } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import { useCall } from '../../lib/query.ts'
import { DayBars } from '../../ui/charts/day-bars.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import list from '../../ui/list.module.css'
import { Loading } from '../../ui/loading.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import styles from './overview.module.css'

type Figures = Answer<'office/overview'>

/** Figures of the machine change by themselves. */
const REFRESH_MS = 10_000

/** How the whole server is doing: people, data, the queue, the machine and, where something is sold, money. */
export function Overview() {
  const { t } = useTranslation('operations')
  const { data, error, refetch } = useCall(
    'office/overview',
    {},
    { quiet: true, refetchInterval: REFRESH_MS },
  )
  if (!data) {
    return error ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : (
      <Loading shape="cards" count={4} />
    )
  }
  return (
    <>
      <ul className={styles.tiles} aria-label={t('overview.figures')}>
        <Tile name={t('overview.members')} value={formatNumber(data.members.total)}>
          {t('overview.active', {
            count: data.members.activeWeek,
            shown: formatNumber(data.members.activeWeek),
          })}
          {data.members.blocked > 0 &&
            ` · ${t('overview.blocked', { shown: formatNumber(data.members.blocked) })}`}
        </Tile>
        <Tile name={t('overview.stored')} value={formatBytes(data.storage.bytes)}>
          {t('overview.files', { count: data.storage.files, shown: formatNumber(data.storage.files) })}
        </Tile>
        <Tile name={t('overview.running')} value={formatNumber(data.queue.running)}>
          <Link to="/admin?part=jobs">
            {t('overview.waiting', {
              shown: formatNumber(data.queue.waiting),
              paused: formatNumber(data.queue.paused),
            })}
          </Link>
        </Tile>
        <Tile name={t('overview.failed')} value={formatNumber(sumOf(data.days.slice(-7), 'failedRuns'))}>
          <Link to="/admin?part=jobs&state=failed">{t('overview.seeFailed')}</Link>
        </Tile>
      </ul>
      <Machine figures={data} />
      <Devices devices={data.devices} />
      <Plots days={data.days} />
      <p className={styles.foot}>
        {t('overview.foot', { version: data.version, up: formatDuration(data.machine.upSeconds) })}
      </p>
    </>
  )
}

function Tile({ name, value, children }: { name: string; value: string; children: React.ReactNode }) {
  return (
    <li className={styles.tile}>
      <span className={styles.name}>{name}</span>
      <strong className={styles.value}>{value}</strong>
      <span className={styles.more}>{children}</span>
    </li>
  )
}

/** Bars of what a machine runs out of. */
function Machine({ figures: { disk, machine, databaseBytes } }: { figures: Figures }) {
  const { t } = useTranslation('operations')
  const title = useId()
  const usedDisk = disk.totalBytes - disk.freeBytes
  const usedMemory = machine.memoryBytes - machine.freeMemoryBytes
  return (
    <section className={styles.section} aria-labelledby={title}>
      <h2 id={title}>{t('machine.title')}</h2>
      <div className={styles.bars}>
        <Use
          name={t('machine.disk')}
          share={usedDisk / Math.max(1, disk.totalBytes)}
          isShort={disk.freeBytes < disk.reserveBytes}
          text={t('machine.usedOf', { used: formatBytes(usedDisk), total: formatBytes(disk.totalBytes) })}
        />
        <Use
          name={t('machine.memory')}
          share={usedMemory / Math.max(1, machine.memoryBytes)}
          isShort={false}
          text={t('machine.usedOf', {
            used: formatBytes(usedMemory),
            total: formatBytes(machine.memoryBytes),
          })}
        />
        <Use
          name={t('machine.processor')}
          share={machine.load / Math.max(1, machine.cores)}
          isShort={false}
          text={t('machine.load', {
            load: formatNumber(machine.load, 1),
            cores: formatNumber(machine.cores),
            count: machine.cores,
          })}
        />
      </div>
      <p className={styles.soft}>{t('machine.database', { size: formatBytes(databaseBytes) })}</p>
    </section>
  )
}

type UseProps = { name: string; share: number; isShort: boolean; text: string }

function Use({ name, share, isShort, text }: UseProps) {
  const id = useId()
  const state = isShort || share >= 0.95 ? 'short' : share >= 0.8 ? 'high' : 'free'
  return (
    <div className={styles.use} data-state={state}>
      <span id={id} className={styles.line}>
        <span>{name}</span>
        <span className={styles.soft}>{text}</span>
      </span>
      <meter
        aria-labelledby={id}
        max={1}
        value={Math.min(1, share)}
        aria-valuetext={formatPercent(share, 0)}
      />
    </div>
  )
}

function Devices({ devices }: { devices: Figures['devices'] }) {
  const { t } = useTranslation('operations')
  const title = useId()
  return (
    <section className={styles.section} aria-labelledby={title}>
      <h2 id={title}>{t('devices.title')}</h2>
      {devices.length === 0 && <p>{t('devices.none')}</p>}
      {devices.length > 0 && (
        <table className={list.list}>
          <thead>
            <tr>
              <th>{t('devices.name')}</th>
              <th className={list.wide}>{t('devices.memory')}</th>
              <th>{t('devices.state')}</th>
              <th className={list.wide}>{t('devices.seen')}</th>
            </tr>
          </thead>
          <tbody>
            {devices.map(({ worker, kind, number, memoryBytes, isThere, runs, seenAt }) => (
              <tr key={worker}>
                <td>
                  {t(`devices.kind.${kind}`, { number: formatNumber(number), count: number })}
                  <small>
                    <code>{worker}</code>
                  </small>
                </td>
                <td className={list.wide}>{formatBytes(memoryBytes)}</td>
                <td>
                  {!isThere && <StateMark state="failed" text={t('devices.gone')} />}
                  {isThere && runs > 0 && <StateMark state="running" text={t('devices.busy')} />}
                  {isThere && runs === 0 && <StateMark state="done" text={t('devices.free')} />}
                </td>
                <td className={list.wide}>{formatDate(seenAt, 'minute')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

type Counted = Exclude<keyof DayFigures, 'day'>

function Plots({ days }: { days: readonly DayFigures[] }) {
  const { t } = useTranslation('operations')
  const title = useId()
  const isSold = days.some(({ paidFen }) => paidFen !== null)
  const whole = (value: number): string => formatNumber(value)
  const plots: { key: Counted; format: (value: number) => string; trouble?: Counted }[] = [
    { key: 'newMembers', format: whole },
    { key: 'endedRuns', format: whole, trouble: 'failedRuns' },
    { key: 'storedBytes', format: formatBytes },
    ...(isSold ? [{ key: 'paidFen' as const, format: formatFen }] : []),
  ]
  const ends: [string, string] = [dayName(days[0]?.day), dayName(days.at(-1)?.day)]
  return (
    <section className={styles.section} aria-labelledby={title}>
      <h2 id={title}>{t('plots.title', { count: days.length })}</h2>
      <div className={styles.plots}>
        {plots.map(({ key, format, trouble }) => (
          <DayBars
            key={key}
            title={t(`plots.${key}`)}
            summary={format(sumOf(days, key))}
            bars={days.map((one) => ({
              label: dayName(one.day),
              value: one[key] ?? 0,
              ...(trouble && { trouble: one[trouble] ?? 0 }),
            }))}
            format={format}
            columns={{ day: t('plots.day'), value: t(`plots.${key}`) }}
            ends={ends}
          />
        ))}
      </div>
    </section>
  )
}

const sumOf = (days: readonly DayFigures[], key: Counted): number =>
  days.reduce((sum, one) => sum + (one[key] ?? 0), 0)

const dayName = (day: string | undefined): string => (day ? formatDate(`${day}T12:00:00Z`, 'day') : '')
