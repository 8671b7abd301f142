/** A waiting room of the kind the shop uses: a small page around one frame. */
export const ROOM_PAGE =
  '<html style="height:100%"><head><meta name="robots" content="noindex"></head><body style="margin:0;height:100%">' +
  '<iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=43&xinfo=1-2-3%20NNNN%20WR%28P%20-1%20-1%200%2060%29&incident_id=1&edet=47&cinfo=0&rpinfo=0&wrid=901&wrcid=901&mth=GET" width="100%" height="100%">' +
  'Request unsuccessful. Incapsula incident ID: 1</iframe></body></html>';

const NAVIGATION =
  '<nav aria-label="Main"><ul><li><a href="/category/cards">Cards</a></li><li><a href="/category/plush">Plush</a></li><li><a href="/category/new">New</a></li></ul></nav>';

/** An ordinary shop page of about `kilobytes` KB. */
export function shopPage(kilobytes: number): string {
  const product = (index: number): string =>
    `<li><a href="/product/${index}/item"><img src="/images/${index}.jpg" alt="Item ${index}"><span>Item ${index}</span></a><span class="price">£${index}.99</span><button type="button">Add to Cart</button></li>`;
  let products = '';
  for (let index = 1; products.length < kilobytes * 1024; index += 1) products += product(index);
  return `<!DOCTYPE html><html lang="en-GB"><head><title>Shop</title></head><body><header><a href="/cart">My Cart (0)</a></header>${NAVIGATION}<main><h1>New releases</h1><ul>${products}</ul></main><footer><a href="/help">Help</a></footer></body></html>`;
}
