export default function App({ items }) {
  const [open, setOpen] = useState(false);
  const onClick = useCallback(() => setOpen(!open), [open]);
  useEffect(() => {
    document.title = `
  verbatim ${items.map((i) => i.name)}
    `;
  }, [items]);
  return (
    <ul onClick={onClick}>
      {items.map((item) => (
        <li key={item.id} onFocus={() => setOpen(true)}>
          {item.name}
        </li>
      ))}
    </ul>
  );
}

const Row = ({ label }) => <td>{label}</td>;
const Cell = React.memo((props) => <Row {...props} />);
@observer
class View extends React.Component {
  @action.bound
  reset() { this.x = 0; }
  @observable
  x = 1;
  state = { open: false };
  render() { return <App items={[]} />; }
}
export @decorated class Late {}
@early export class Early {}
