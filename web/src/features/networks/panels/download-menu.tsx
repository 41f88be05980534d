import { DownloadOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { textOf } from '../editor/store.ts'
import { useEditorStore } from '../editor/use-editor.ts'
import { saveText } from './save-file.ts'

/** Takes the network away: as text, as code, as a picture. */
export function DownloadMenu() {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const items = [{ key: 'yaml', label: t('download.yaml') }]
  const handleClick = () => {
    const state = store.getState()
    saveText(`${state.file.name}.yaml`, textOf(state), 'application/yaml')
  }
  return (
    <Dropdown menu={{ items, onClick: handleClick }} trigger={['click']}>
      <Button icon={<DownloadOutlined aria-hidden />}>{t('download.button')}</Button>
    </Dropdown>
  )
}
