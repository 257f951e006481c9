// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/democlient.h"

namespace lk {

/// Issues one-time tokens of both kinds. Some are redeemed, some replayed, the rest expire. Lives
/// in the thread that made it.
class TokenIssuer final : public DemoClient
{
    Q_OBJECT

public:
    TokenIssuer(ServerUrl url, quint32 seed, QObject* parent = nullptr);

private:
    void begin() override;
    void issueCode();
    void issueUserToken();
    /// Usually redeems the token after some time, and sometimes a second time.
    void redeemLater(const char* recipe, const QByteArray& key, int lifetimeMs);

    int m_codes = 0;      ///< string tokens that may be alive
    int m_userTokens = 0; ///< hash tokens that may be alive
};

} // namespace lk
