// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/delivery/alertdelivery.h"

#include "backend/alerts/delivery/testnotification.h"
#include "backend/alerts/rules/notificationjson.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 givenUpAfterMs = 24LL * 3600 * 1000;
constexpr qint64 desktopAfterMs = 10 * 60 * 1000; // older ones are not shown
constexpr int refusedAttempts = 3;
constexpr qint64 claimSpareMs = 30'000; // beyond the target's own time limit

} // namespace

AlertDelivery::AlertDelivery(AlertStore& store, const Clock& clock, QObject* parent)
    : QObject(parent)
    , m_store(store)
    , m_clock(clock)
{}

AlertDelivery::~AlertDelivery() = default;

void AlertDelivery::setSettings(const AlertSettings& settings, bool desktop)
{
    const QByteArrayList secrets = secretsOf(settings);
    std::map<QByteArray, Target> targets;
    for (const NotifyTarget& wanted : settings.targets) {
        const auto before = m_targets.find(wanted.name);
        if (before != m_targets.end() && before->second.settings == wanted) {
            targets.insert(m_targets.extract(before)); // with its current attempt
        } else {
            // A message in transit to the former destination keeps its claim until that expires.
            targets.emplace(wanted.name, Target{wanted, makeSender(wanted, secrets), false});
        }
    }
    if (desktop)
        targets[desktopTarget].settings.name = desktopTarget;
    m_targets = std::move(targets);
}

template<typename T> bool AlertDelivery::fine(const Result<T>& result)
{
    if (!result)
        emit problem(result.error());
    return result.has_value();
}

void AlertDelivery::sendDue()
{
    for (auto& [name, target] : m_targets) {
        if (!target.busy)
            sendNext(target);
    }
}

void AlertDelivery::forgetUnsent()
{
    QByteArrayList names;
    for (const auto& [name, target] : m_targets)
        names << name;
    if (fine(m_store.forgetUnsent(names, m_clock.nowMs())))
        emit changed();
}

void AlertDelivery::sendNext(Target& target)
{
    const qint64 nowMs = m_clock.nowMs();
    const QByteArray name = target.settings.name;
    // A webhook's receiver recognizes a repeated message by its id, unless the target is declared
    // as once. A command may not recognize it.
    const bool once = !target.settings.command.isEmpty() || target.settings.once;
    const auto next =
        m_store.claim(name, nowMs, target.settings.timeoutMs + claimSpareMs,
                      once ? AlertStore::Unanswered::GivenUp : AlertStore::Unanswered::SentAgain);
    if (m_store.takeGivenUp())
        emit changed();
    if (!fine(next) || !*next)
        return;
    const QueuedDelivery delivery = **next;
    if (!target.sender) {
        if (nowMs - delivery.atMs >= desktopAfterMs)
            return onSent(name, delivery, {});
        target.busy = true;
        m_shown.insert(delivery.id, delivery);
        emit desktopWanted(delivery.body);
        return;
    }
    target.busy = true;
    target.sender->send(
        {delivery.id, delivery.body, delivery.attempts, nowMs},
        [this, name, delivery](const SendResult& sent) { onSent(name, delivery, sent); });
}

void AlertDelivery::onSent(const QByteArray& name, const QueuedDelivery& delivery,
                           const SendResult& sent)
{
    const qint64 nowMs = m_clock.nowMs();
    const qint64 nextMs = nowMs + retryAfterMs(delivery.attempts);
    const bool over = nowMs - delivery.atMs > givenUpAfterMs ||
                      (name == desktopTarget && nextMs - delivery.atMs >= desktopAfterMs) ||
                      (sent.refused && delivery.attempts >= refusedAttempts);
    const auto target = m_targets.find(name);
    const bool uncertain =
        sent.unanswered && target != m_targets.end() && target->second.settings.once;
    const QString problem =
        uncertain ? tr("%1: it may have been delivered, and is not sent again").arg(sent.problem)
                  : sent.problem;
    fine(problem.isEmpty()
             ? m_store.delivered(delivery.id, nowMs)
             : m_store.notDelivered(delivery.id, problem, over || uncertain ? 0 : nextMs, nowMs));
    if (target != m_targets.end())
        target->second.busy = false;
    emit changed();
    // The next one, but not from within the last one's end.
    QMetaObject::invokeMethod(this, &AlertDelivery::sendDue, Qt::QueuedConnection);
}

void AlertDelivery::desktopAnswered(const QByteArray& id, const QString& problem)
{
    if (m_tests.remove(id))
        emit tested(desktopTarget, problem);
    if (m_shown.contains(id))
        onSent(desktopTarget, m_shown.take(id), {problem, false});
}

void AlertDelivery::test(const AlertSettings& settings, const QByteArray& target,
                         const QString& deployment)
{
    if (target == desktopTarget && m_targets.contains(target)) {
        const QByteArray json = testNotificationJson(deployment, m_clock.nowMs());
        m_tests.insert(idOf(json));
        emit desktopWanted(json);
        return;
    }
    // Independent of the queued notifications, which are sent meanwhile.
    sendTestNotification(settings, target, deployment, m_clock.nowMs(), this,
                         [this, target](const QString& problem) { emit tested(target, problem); });
}

} // namespace lk
