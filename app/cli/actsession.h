// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/actinvocation.h"
#include "app/cli/ownthread.h"
#include "app/process/output.h"
#include "backend/actions/outcomecheck.h"
#include "backend/actions/preflight.h"
#include "backend/actions/runner.h"
#include "backend/config/config.h"
#include "backend/core/snapshot.h"
#include "backend/polling/firstseen.h"
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
    void onReady();
    void planUndo();
    void fetchKey(std::function<void()> then);
    void find();
    void onNothing();
    void assume(const QByteArray& type);
    QString shownTarget() const;
    void loadRecords();
    void saveRecords(const QByteArray& queue);
    void plan(PrimitivePtr primitive);
    void watch(const PrimitivePtr& queue);
    void onPlan(const Result<Plan>& planned);
    bool needsReason();
    bool agreed(const QString& text, const QString& word);
    void undoGroup(qint64 serverMs);
    void runNext();
    void connectToAct(std::function<void()> then);
    void run(const Plan& plan);
    void onReceipt(const Receipt& receipt);
    using SeenHandler = std::function<void(const std::optional<OutcomeSeen>&)>;
    void checkOutcome(const Plan& plan, const Receipt& receipt, SeenHandler then);
    void tellReceipt(const Receipt& receipt, const std::optional<OutcomeSeen>& seen);
    void revoke();
    void onRevoked(const Result<Receipt>& receipt);
    void end(int code);
    void fail(const Error& error);

    ActInvocation m_invocation;
    Config m_config;
    SystemClock m_clock;
    OwnThread m_journalThread{QStringLiteral("journal")};
    Connection m_connection;                ///< reads
    Connection m_acting;                    ///< opened for the step alone
    std::unique_ptr<SecretStore> m_keyring; ///< once it is needed
    UndoStore m_undo;
    ActionRunner m_runner;
    Output m_out;
    Plan m_plan; ///< what is run
    ServerLimits m_limits;
    PrimitivePtr m_target; ///< what it was made of; null: it makes something new
    FirstSeen m_firstSeen;
    const Action* m_action = nullptr;
    std::unique_ptr<TargetSearch> m_search;
    std::unique_ptr<AutoRequeueRun> m_watch;
    std::vector<Plan> m_group; ///< still to be taken back, the next one last
    int m_missed = 0;          ///< of a group: what could not be
    bool m_begun = false;
    bool m_sent = false; ///< from here on a lost connection is the runner's to tell of
};

} // namespace lk
