import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'

type IconButtonProps = { label: string; hint: string; icon: ReactNode; onClick: () => void }

/** A small button that is only a sign; `label` names it fully, `hint` shortly. */
export function IconButton({ label, hint, icon, onClick }: IconButtonProps) {
  return (
    <Tooltip title={hint}>
      <Button type="text" size="small" icon={icon} aria-label={label} onClick={onClick} />
    </Tooltip>
  )
}
