// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actinvocation.h"
#include "backend/actions/runner.h"
#include "backend/core/snapshot.h"
#include "backend/layouts/config.h"
#include "backend/monitor/firstseen.h"

#include <QObject>

#include <memory>

namespace lk {

class TargetSearch;
class WatchRun;

/// One run of `lockkeeper act`: finds what is meant, plans, asks, runs, prints, and ends the event
/// loop with the exit code.
class ActSession final : public QObject
{
    Q_OBJECT

public:
    ActSession(ActInvocation invocation, Config config);
    ~ActSession() override;

    void start();

private:
    void onReady();
    void find();
    void onNothing();
    void assume(const QByteArray& type);
    void loadSights();
    void saveSights(const QByteArray& queue);
    void plan(PrimitivePtr primitive);
    void watch(const PrimitivePtr& queue);
    void onPlan(const Result<Plan>& plan);
    bool agreed(const QString& text, const QString& word);
    void connectToAct(const Plan& plan);
    void run(const Plan& plan);
    void onReceipt(const Receipt& receipt);
    void end(int code);
    void fail(const Error& error);

    ActInvocation m_invocation;
    Config m_config;
    SystemClock m_clock;
    Connection m_connection; ///< reads
    Connection m_acting;     ///< opened for the step alone
    ActionRunner m_runner;
    FirstSeen m_sights;
    const Action* m_action = nullptr;
    std::unique_ptr<TargetSearch> m_search;
    std::unique_ptr<WatchRun> m_watch;
    bool m_begun = false;
    bool m_sent = false; ///< from here on a lost connection is the runner's to tell of
};

} // namespace lk
