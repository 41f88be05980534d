import { CopyOutlined, DeleteOutlined, EditOutlined, MoreOutlined } from '@ant-design/icons'
import type { OwnNetwork } from '@neuroloom/contract/networks'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatNumber } from '../../../../lib/format.ts'
import card from '../../../../ui/card.module.css'
import { shortNumber } from '../../gallery-number.ts'
import styles from './home.module.css'
import { NetworkGlyph } from './network-glyph.tsx'

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
