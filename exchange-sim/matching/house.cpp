// SPDX-License-Identifier: Apache-2.0
// The house: the participant behind a scenario. It moves the market by ordinary orders in the books.
#include "matching/exchange.hpp"

namespace fixaccel::exchange {

OrderId Exchange::add_house(Market& market, Side side, OrderType type, TimeInForce tif, Price price,
                            Quantity quantity) {
    OrderTicket ticket;
    ticket.symbol = market.instrument.symbol();
    Order& order = add(ticket);
    order.house = true;
    order.side = side;
    order.type = type;
    order.tif = tif;
    order.price = price;
    order.quantity = quantity;
    order.leaves_quantity = quantity;
    return order.id;
}

std::vector<Execution> Exchange::quote(const std::string& symbol, std::optional<Quote> bid,
                                       std::optional<Quote> ask) {
    std::vector<Execution> out;
    Market& market = this->market(symbol);
    // Both old quotes go first: the new bid must not meet the old ask.
    for (const OrderId id : std::set<OrderId>(market.quotes)) withdraw(market, id, "quote replaced", out);
    const auto place = [&](Side side, const std::optional<Quote>& quote) {
        if (!quote) return;
        const OrderId id =
            add_house(market, side, OrderType::kLimit, TimeInForce::kDay, quote->price, quote->quantity);
        match(market, id, out);
        if (order(id).leaves_quantity > 0) market.quotes.insert(id);
    };
    place(Side::kBuy, bid);
    place(Side::kSell, ask);
    return out;
}

std::vector<Execution> Exchange::trade(const std::string& symbol, Price price, Quantity quantity) {
    std::vector<Execution> out;
    Market& market = this->market(symbol);
    for (const Side side : {Side::kBuy, Side::kSell}) {
        Quantity clients = 0;
        std::vector<OrderId> in_the_way;
        for (const OrderId id : market.book.marketable(side, price)) {
            const Order& resting = order(id);
            resting.house ? in_the_way.push_back(id) : void(clients += resting.leaves_quantity);
        }
        if (clients == 0) continue;
        // The house does not trade with itself through the book: its own orders step aside and come back.
        for (const OrderId id : in_the_way) market.book.cancel(id);
        const OrderId sweep = add_house(market, opposite(side), OrderType::kLimit,
                                        TimeInForce::kImmediateOrCancel, price, clients);
        match(market, sweep, out);
        for (const OrderId id : in_the_way) {
            const Order& back = order(id);
            market.book.submit({id, back.side, back.type, back.tif, back.price, back.leaves_quantity});
        }
    }
    market.book.print(price, quantity);
    return out;
}

std::vector<Execution> Exchange::house_order(const std::string& symbol, Side side, OrderType type,
                                             TimeInForce tif, Price price, Quantity quantity) {
    std::vector<Execution> out;
    Market& market = this->market(symbol);
    match(market, add_house(market, side, type, tif, price, quantity), out);
    return out;
}

std::vector<Execution> Exchange::cancel_house(const std::string& symbol) {
    std::vector<Execution> out;
    Market& market = this->market(symbol);
    for (const OrderId id : std::set<OrderId>(market.house)) withdraw(market, id, "house withdrew", out);
    return out;
}

}  // namespace fixaccel::exchange
