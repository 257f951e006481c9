// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/democlient.h"

namespace lk {

/// A site that uses Redis for the smaller patterns: a rotation, waiting events, visitors' sessions,
/// counters, active users, a cached sort, weighted draws, a table of seats. Lives in the thread
/// that made it.
class PatternClients final : public DemoClient
{
    Q_OBJECT

public:
    PatternClients(ServerUrl url, quint32 seed, QObject* parent = nullptr);

private:
    void begin() override;
    void beginRotation();
    void beginEvents();
    void beginSessions();
    void beginCounters();
    void beginActivity();
    void beginSortedArticles();
    void beginBanners();
    void beginSeats();

    void visit(int user);
    void askForArticles();
    void fillBanners();
    void takeSeat();
};

} // namespace lk
