// SPDX-License-Identifier: Apache-2.0
#include "engine.hpp"

#include <gtest/gtest.h>

namespace fixaccel {
namespace {

BundleRule rule(const std::string& id, std::optional<std::uint32_t> trigger) {
    BundleRule rule;
    rule.id = id;
    rule.trigger = trigger;
    return rule;
}

TEST(Engine, RefusesRulesThatNobodyWouldRun) {
    Bundle bundle;
    bundle.rules = {rule("stop", 0), rule("breakout", std::nullopt), rule("trail", std::nullopt)};
    try {
        require_fabric_rules(bundle);
        FAIL() << "accepted";
    } catch (const Refused& refusal) {
        const std::string text = refusal.what();
        EXPECT_NE(text.find("rule breakout runs in the runtime (2 of 3 do)"), std::string::npos) << text;
    }
    bundle.rules.resize(1);
    require_fabric_rules(bundle);
}

}  // namespace
}  // namespace fixaccel
