// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/democlient.h"

namespace lk {

/// Ordinary keys that have nothing to do with coordination: pages, profiles, a stream, a set, a
/// leaderboard. No layout should claim them. Lives in the thread that made it.
class OrdinaryKeys final : public DemoClient
{
    Q_OBJECT

public:
    OrdinaryKeys(ServerUrl url, quint32 seed, QObject* parent = nullptr);

private:
    void begin() override;
    Command page(int number);
    Command profile(int user);
    Command visit();
};

} // namespace lk
