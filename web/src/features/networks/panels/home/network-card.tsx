import { CopyOutlined, DeleteOutlined, EditOutlined, MoreOutlined } from '@ant-design/icons'
import type { OwnNetwork } from '@neuroloom/contract/networks'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatNumber } from '../../../../lib/format.ts'
import card from '../../../../ui/card.module.css'
import { shortNumber } from '../../gallery-number.ts'
import styles from './home.module.css'

type Props = { network: OwnNetwork; onRename: () => void; onCopy: () => void; onRemove: () => void }

/** One network at a glance; the whole card opens it. */
export function NetworkCard({ network, onRename, onCopy, onRemove }: Props) {
  const { t } = useTranslation(['dripe-panels', 'tasks'])
  const { id, name, task, parameters, macs, mistakes, version, updatedAt } = network
  const actions = { rename: onRename, copy: onCopy, remove: onRemove }
  const items = [
    { key: 'rename', icon: <EditOutlined aria-hidden />, label: t('home.rename') },
    { key: 'copy', icon: <CopyOutlined aria-hidden />, label: t('home.copy') },
    { key: 'remove', icon: <DeleteOutlined aria-hidden />, label: t('home.remove'), danger: true },
  ]
  return (
    <li className={card.card}>
      <div className={card.head}>
        <NetworkGlyph task={task} />
        <div className={card.names}>
          <Link className={`${card.link} ${card.target}`} to={`/dripe?id=${encodeURIComponent(id)}`}>
            {name}
          </Link>
          <span>{t(`tasks:name.${task}`, { defaultValue: task })}</span>
        </div>
        <div className={card.menu}>
          <Dropdown
            menu={{
              items,
              onClick: ({ key }) => {
                if (key === 'rename' || key === 'copy' || key === 'remove') actions[key]()
              },
            }}
            trigger={['click']}
            placement="bottomRight"
          >
            <Button
              type="text"
              icon={<MoreOutlined aria-hidden />}
              aria-label={t('home.actionsOf', { name })}
            />
          </Dropdown>
        </div>
      </div>
      <p className={styles.figures}>
        {parameters === null ? null : (
          <span title={formatNumber(parameters, 0)}>
            {t('bar.parameters', { count: parameters, value: shortNumber(parameters) })}
          </span>
        )}
        {macs === null ? null : (
          <span title={formatNumber(macs, 0)}>
            {t('bar.macs', { count: macs, value: shortNumber(macs) })}
          </span>
        )}
        {mistakes === 0 ? null : (
          <span className={styles.mistakes}>{t('problems.errors', { count: mistakes })}</span>
        )}
      </p>
      <div className={card.foot}>
        <span>{version === 0 ? t('home.noVersion') : t('home.versions', { count: version })}</span>
        <time dateTime={updatedAt}>{formatDate(updatedAt, 'relative')}</time>
      </div>
    </li>
  )
}

/** How wide a picture is on its way through a network of the task. */
const widths: Record<string, readonly number[]> = {
  classification: [30, 26, 20, 14, 8],
  segmentation: [30, 20, 10, 20, 30],
  'super-resolution': [10, 10, 14, 22, 30],
  denoising: [24, 24, 24, 24, 24],
  detection: [30, 22, 16, 16, 16],
  flow: [16, 22, 22, 26, 30],
}

/** A small picture of the kind of network: it narrows, widens, or both. */
function NetworkGlyph({ task }: { task: string }) {
  const bars = widths[task] ?? widths.classification ?? []
  return (
    <svg className={styles.glyph} viewBox="0 0 40 40" aria-hidden="true">
      {bars.map((width, k) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
          key={k}
          x={20 - width / 2}
          y={3.5 + k * 7}
          width={width}
          height={5}
          rx={2.5}
          opacity={0.45 + 0.11 * k}
        />
      ))}
    </svg>
  )
}
