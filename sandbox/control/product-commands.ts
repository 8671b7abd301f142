import type { RequestContext } from '../http/app';
import type { ProductShop } from '../shop/products/product-shop';
import {
  hostNameSchema,
  hostSchema,
  productChangeSchema,
  productSlugSchema,
  type SoldProduct,
} from '../shop/products/product-setting';
import { checkInput, getCommand, type Command } from './command';

/** The commands of the products that the shop sells, and of the hosts that sell them. */
export function productCommands(products: ProductShop): Command[] {
  const slugOf = ({ req }: RequestContext) => checkInput(productSlugSchema, req.param('slug'));
  const withUrl = (product: SoldProduct) => ({ ...product, url: products.url(product.slug) });
  return [
    getCommand('/control/shop/products', () => ({ products: products.list().map(withUrl) })),
    {
      method: 'PUT',
      path: '/control/shop/products/:slug',
      run: (value, context) => ({
        value: withUrl(products.put(slugOf(context), checkInput(productChangeSchema, value))),
      }),
    },
    {
      method: 'DELETE',
      path: '/control/shop/products/:slug',
      run(_value, context) {
        const slug = slugOf(context);
        if (!products.remove(slug))
          return { status: 404, value: { message: `no product has the slug ${slug}` } };
        return { value: { products: products.list().map(withUrl) } };
      },
    },
    getCommand('/control/shop/hosts', () => ({ hosts: products.hosts() })),
    {
      method: 'PUT',
      path: '/control/shop/hosts/:name',
      run: async (value, { req }) => ({
        value: await products.putHost(
          checkInput(hostNameSchema, req.param('name')),
          checkInput(hostSchema, value),
        ),
      }),
    },
  ];
}
