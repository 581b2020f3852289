import React, { type FC } from 'react';

type Props = { label: string; onPick?: (id: number) => void };

export const List: FC<Props> = ({ label, onPick }) => {
  const [open, setOpen] = React.useState<boolean>(false);
  const pick = React.useCallback((id: number) => onPick?.(id), [onPick]);
  React.useEffect(() => {
    if (open) {
      log('open');
    } else if (label) log(label);
    else log('closed');
  }, [open]);
  return (
    <ul className="list">
      {label && <li onClick={() => setOpen(!open)}>{label}</li>}
      {items.map((item) => <Row key={item.id} {...item} />)}
    </ul>
  );
};

export default function Page<T,>({ data }: { data: T }): JSX.Element {
  return <List label={`${data}`} />;
}

const Row = React.memo(function Row({ id }: { id: number }) {
  return <li>{id}</li>;
});
const Fancy = forwardRef<HTMLDivElement, Props>((props, ref) => <div ref={ref} />);

class Old extends React.Component<Props> {
  state = { open: false };
  static defaultProps: Partial<Props> = { label: '' };
  private onClick = (): void => this.setState({ open: true });
  render() { return <button onClick={this.onClick} />; }
}
