// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/clients/clients.h"

namespace lk {

namespace {

constexpr int maxCodes = 70;
constexpr int maxUserTokens = 35;
constexpr int shortestLifeMs = 60'000;
constexpr int longestLifeMs = 600'000;

// Issues one-time tokens of both kinds. Some are redeemed, some replayed, the rest expire.
class TokenIssuer final : public DemoClient
{
public:
    TokenIssuer(ServerUrl url, quint32 seed)
        : DemoClient(std::move(url), QByteArrayLiteral("demo-accounts"), seed)
    {}

private:
    void begin() override
    {
        for (int i = 0; i < 36; ++i)
            issueCode();
        for (int i = 0; i < 18; ++i)
            issueUserToken();
        // A replay of an expired token leaves this in the well-known version: a counter without a
        // token, forever.
        send({{"HSETNX", "user_token:" + hex(20), "used_by", "1"}});
        every(2500, 6000, [this] { issueCode(); });
        every(5000, 11'000, [this] { issueUserToken(); });
    }

    void issueCode()
    {
        if (m_codes >= maxCodes)
            return;
        const QByteArray key = QByteArrayLiteral("code:") + hex(between(3, 4) * 2);
        const QByteArray payload = "{\"act_id\":\"" + text(between(1000, 9999)) +
                                   "\",\"email\":\"user" + text(between(1, 999)) +
                                   "@example.org\"}";
        const int lifetimeMs = between(shortestLifeMs, longestLifeMs);
        ++m_codes;
        after(lifetimeMs, [this] { --m_codes; });
        run("string-token-issue", {key}, {payload, text(lifetimeMs)});
        redeemLater("string-token-redeem", key, lifetimeMs);
    }

    void issueUserToken()
    {
        if (m_userTokens >= maxUserTokens)
            return;
        const QByteArray key = QByteArrayLiteral("user_token:") + hex(20);
        const int lifetimeMs = between(shortestLifeMs, longestLifeMs);
        ++m_userTokens;
        after(lifetimeMs, [this] { --m_userTokens; });
        run("hash-token-issue", {key},
            {text(lifetimeMs), "user_id", text(between(1, 400)), "scope", "spawn_vm"});
        redeemLater("hash-token-redeem", key, lifetimeMs);
    }

    // Usually redeems the token after some time, and sometimes a second time.
    void redeemLater(const char* recipe, const QByteArray& key, int lifetimeMs)
    {
        if (oneIn(4))
            return;
        const auto redeem = [=, this] { run(recipe, {key}, {}); };
        const int afterMs = between(2000, lifetimeMs);
        after(afterMs, redeem);
        if (oneIn(5))
            after(afterMs + between(500, 30'000), redeem);
    }

    int m_codes = 0;      ///< string tokens that may be alive
    int m_userTokens = 0; ///< hash tokens that may be alive
};

} // namespace

std::unique_ptr<DemoClient> makeTokenIssuer(const ServerUrl& url, quint32 seed)
{
    return std::make_unique<TokenIssuer>(url, seed);
}

} // namespace lk
