// SPDX-License-Identifier: Apache-2.0
// What the exchange is measured beside: QuickFIX's own acceptor with the least application that there can be.
// Each NewOrderSingle(D) is answered with one ExecutionReport(8). Messages in memory, no dictionary.
//
// Usage: exchange-sim-quickfix-echo PORT SESSIONS        until its input ends
#include <quickfix/Application.h>
#include <quickfix/Log.h>
#include <quickfix/MessageStore.h>
#include <quickfix/Session.h>
#include <quickfix/ThreadedSocketAcceptor.h>

#include <cstdlib>
#include <iostream>
#include <string>

namespace {

class Echo : public FIX::NullApplication {
    void fromApp(const FIX::Message& order,
                 const FIX::SessionID& session) throw(FIX::FieldNotFound, FIX::IncorrectDataFormat,
                                                      FIX::IncorrectTagValue,
                                                      FIX::UnsupportedMessageType) override {
        FIX::Message report;
        report.getHeader().setField(35, "8");
        for (const int same : {11, 38, 40, 44, 54, 55, 59, 60})
            if (order.isSetField(same)) report.setField(same, order.getField(same));
        report.setField(6, "0");
        report.setField(14, "0");
        report.setField(17, order.getField(11));
        report.setField(37, order.getField(11));
        report.setField(39, "0");
        report.setField(150, "0");
        report.setField(151, order.getField(38));
        FIX::Session::sendToTarget(report, session);
    }
};

class NoLog : public FIX::LogFactory, public FIX::Log {
  public:
    FIX::Log* create() override { return this; }
    FIX::Log* create(const FIX::SessionID&) override { return this; }
    void destroy(FIX::Log*) override {}
    void clear() override {}
    void backup() override {}
    void onIncoming(const std::string&) override {}
    void onOutgoing(const std::string&) override {}
    void onEvent(const std::string&) override {}
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    FIX::Dictionary common;
    common.setString(FIX::CONNECTION_TYPE, "acceptor");
    common.setString(FIX::USE_DATA_DICTIONARY, "N");
    common.setString(FIX::START_TIME, "00:00:00");
    common.setString(FIX::END_TIME, "00:00:00");
    common.setString(FIX::SOCKET_ACCEPT_PORT, argv[1]);
    common.setString(FIX::SOCKET_NODELAY, "Y");
    FIX::SessionSettings settings;
    settings.set(common);
    const int sessions = FIX::IntConvertor::convert(std::string(argv[2]));
    for (int number = 1; number <= sessions; ++number)
        settings.set(FIX::SessionID("FIX.4.4", "BENCH", "LOAD" + std::to_string(number)), FIX::Dictionary());
    Echo echo;
    FIX::MemoryStoreFactory stores;
    NoLog log;
    try {
        FIX::ThreadedSocketAcceptor acceptor(echo, stores, settings, log);
        acceptor.start();
        std::cout << "listening" << std::endl;
        std::cin.ignore(1);
        acceptor.stop(true);
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
