// SPDX-License-Identifier: Apache-2.0
// The house: the participant behind a scenario. It moves the market by ordinary orders in the books.
#include "matching/exchange.hpp"
#include "matching/exchange_journal.hpp"

namespace fixaccel::exchange {

Order& Exchange::add_house(const Market& market, Side side, OrderType type, TimeInForce tif, Price price,
                           Quantity quantity) {
    Order& order = orders_.add();
    order.instrument = &instruments_[market.index];
    order.index = market.index;
    order.ticket = OrderTicket();
    order.ticket.symbol = order.instrument->symbol();
    order.owner = kHouse;
    order.house = true;
    order.side = side;
    order.type = type;
    order.tif = tif;
    order.price = price;
    order.quantity = quantity;
    order.leaves_quantity = quantity;
    return order;
}

const std::vector<Execution>& Exchange::quote(const std::string& symbol, std::optional<Quote> bid,
                                              std::optional<Quote> ask) {
    begin();
    if (heard()) tell(QuoteCall{symbol, bid, ask});
    std::vector<Execution>& out = out_;
    Market& market = this->market(symbol);
    // Both old quotes go first: the new bid must not meet the old ask.
    for (OrderId& id : market.quotes) {
        const Order* old = orders_.find(std::exchange(id, 0));
        if (old != nullptr && old->leaves_quantity > 0) withdraw(*old, "quote replaced", out);
    }
    const auto place = [&](Side side, const std::optional<Quote>& quote, OrderId& id) {
        if (!quote) return;
        Order& order =
            add_house(market, side, OrderType::kLimit, TimeInForce::kDay, quote->price, quote->quantity);
        match(order, out);
        if (order.leaves_quantity > 0) id = order.id;
    };
    place(Side::kBuy, bid, market.quotes[0]);
    place(Side::kSell, ask, market.quotes[1]);
    return out;
}

const std::vector<Execution>& Exchange::trade(const std::string& symbol, Price price, Quantity quantity) {
    begin();
    if (heard()) tell(TradeCall{symbol, price, quantity});
    std::vector<Execution>& out = out_;
    const InstrumentIndex index = index_of(symbol);
    for (const Side side : {Side::kBuy, Side::kSell}) {
        Message message;
        message.kind = MessageKind::kSweep;
        message.instrument = index;
        message.side = side;
        message.price = price;
        message.owner = kHouse;
        Order& sweep = add_house(markets_[index], opposite(side), OrderType::kLimit,
                                 TimeInForce::kImmediateOrCancel, price, 0);
        message.reference = sweep.slot;
        const auto events = engine_.apply(message);
        Quantity clients = 0;
        for (const Event& event : events)
            clients += event.reference == message.reference ? event.quantity : 0;
        if (clients == 0) {
            orders_.undo(sweep);
            continue;
        }
        sweep.quantity = sweep.leaves_quantity = clients;
        report(sweep, ExecType::kNew, out);
        translate(events, out);
    }
    Message print;
    print.kind = MessageKind::kPrint;
    print.instrument = index;
    print.price = price;
    print.quantity = quantity;
    translate(engine_.apply(print), out);
    return out;
}

const std::vector<Execution>& Exchange::house_order(const std::string& symbol, Side side, OrderType type,
                                                    TimeInForce tif, Price price, Quantity quantity,
                                                    Price trigger) {
    begin();
    if (heard()) tell(HouseOrderCall{symbol, side, type, tif, price, quantity, trigger});
    Order& order = add_house(market(symbol), side, type, tif, price, quantity);
    order.trigger = trigger;
    match(order, out_);
    return out_;
}

const std::vector<Execution>& Exchange::cancel_house(const std::string& symbol) {
    Message message;
    message.kind = MessageKind::kMassCancel;
    message.instrument = index_of(symbol);
    message.owner = kHouse;
    say(message);
    for (Execution& execution : out_) execution.text = "house withdrew";
    return out_;
}

}  // namespace fixaccel::exchange
