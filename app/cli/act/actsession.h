// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/act/actinvocation.h"
#include "app/cli/ownthread.h"
#include "app/process/output.h"
#include "backend/acting/execution/outcomecheck.h"
#include "backend/acting/executor/actionexecutor.h"
#include "backend/acting/journal/journal.h"
#include "backend/config/config.h"
#include "backend/core/snapshot.h"
#include "backend/redis/topology/router.h"
#include "backend/secrets/secretstore.h"

#include <QObject>

#include <functional>
#include <memory>

namespace lk {

class TargetSearch;
class AutoRequeueRun;

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
    static constexpr quint64 stepTicket = 1;
    static constexpr quint64 revokeTicket = 2;

    void onReady();
    void readUndo();
    void planUndo();
    void fetchKey(std::function<void()> then);
    void find();
    void onNothing();
    void assume(const QByteArray& type);
    QString shownTarget() const;
    void loadRecords();
    void saveRecords(const QByteArray& queue);
    void plan(PrimitivePtr primitive);
    void autoRequeue(const PrimitivePtr& queue);
    void onPlanned(const PlanSet& set);
    void onRefused(const PlanSet& set);
    void onAnswer(const Answer& answer);
    /// A group that is undone, or an action of several steps: each step ends on its own and is
    /// printed on its own.
    bool isSeveral() const { return !m_undoing.empty() || m_plans.size() > 1; }
    bool needsReason();
    bool agreed(const QString& text);
    void run();
    void onReceipt(quint64 ticket, const Receipt& receipt);
    void onFinished(quint64 ticket);
    void endWhenTold();
    using SeenHandler = std::function<void(const std::optional<OutcomeSeen>&)>;
    void checkOutcome(const Plan& plan, const Receipt& receipt, SeenHandler then);
    void tellReceipt(const Plan& plan, const Receipt& receipt,
                     const std::optional<OutcomeSeen>& seen);
    void tellStep(const Plan& plan, const Receipt& receipt, const std::optional<OutcomeSeen>& seen);
    void revoke(const Plan& plan);
    void onRevoked(const Result<Receipt>& receipt);
    void end(int code);
    void fail(const Error& error);

    ActInvocation m_invocation;
    Config m_config;
    SystemClock m_clock;
    OwnThread m_journalThread{QStringLiteral("journal")};
    Router m_connection;                    ///< reads
    std::unique_ptr<SecretStore> m_keyring; ///< once it is needed
    UndoStore m_undo;
    FirstSeen m_firstSeen;
    ActionExecutor m_executor; ///< plans and runs; opens its own connection to act
    Output m_out;
    PrimitivePtr m_target; ///< the target; null if a step makes something new, or is undone
    std::unique_ptr<TargetSearch> m_search;
    std::unique_ptr<AutoRequeueRun> m_run;
    std::vector<JournalEntry> m_undoing; ///< the steps of a group to undo, the last first
    QString m_leftOut;              ///< a line for each step of the group that cannot be undone
    std::vector<Plan> m_plans;      ///< the plans to run, in this order
    size_t m_received = 0;          ///< the number of receipts of these plans
    size_t m_told = 0;              ///< the number of these receipts that have been printed
    size_t m_missed = 0;            ///< the number of steps that failed or could not be planned
    std::optional<Plan> m_revoking; ///< made a token whose code could not be printed
    bool m_begun = false;
    bool m_sent = false;     ///< from here on the executor reports a lost connection
    bool m_finished = false; ///< no more receipts come
};

} // namespace lk
