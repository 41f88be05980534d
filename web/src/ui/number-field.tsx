/** A field for a number: antd's without its two small buttons, whose names it has in English alone; the arrow keys do as much. */
import { InputNumber, type InputNumberProps } from 'antd'

export const NumberField = (props: InputNumberProps<number>) => (
  <InputNumber<number> controls={false} {...props} />
)
