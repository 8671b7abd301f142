export default function Index() {
  return <h1>One sentence.</h1>;
}
