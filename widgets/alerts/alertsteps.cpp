// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of the alerts page.
#include "backend/core/names/keyname.h"
#include "backend/session/session.h"
#include "backend/session/sessionalerts.h"
#include "backend/session/sessionhistory.h"
#include "widgets/alerts/alertdetail.h"
#include "widgets/alerts/alertmodel.h"
#include "widgets/alerts/alertspage.h"
#include "widgets/alerts/quietdialog.h"
#include "widgets/alerts/ruledialog.h"
#include "widgets/alerts/silencedialog.h"
#include "widgets/alerts/silencesdialog.h"
#include "widgets/controls/tables/rowselection.h"
#include "widgets/saving/saveas.h"

#include <QMenu>

namespace lk {

AlertPtr AlertsPage::current() const
{
    return m_model->alertAt(m_table->currentIndex().row());
}

void AlertsPage::showDetail()
{
    const int row = m_model->rowOf(m_selected);
    const AlertPtr alert = m_model->alertAt(row);
    const SessionAlerts* now = alerts();
    if (!alert || !now)
        return m_detail->show(nullptr, AlertStanding::Past, nullptr, {});
    const Silence* silence =
        alert->isOpen() ? now->alerts()->silenceOf(*alert, shownLocalMs()) : nullptr;
    const bool there = !alert->kind || shownHandle(*alert) != noHandle;
    m_detail->show(alert, m_model->standingAt(row), silence,
                   {.act = !m_session->isPast(), .object = there, .moment = isRecorded(*alert)});
}

QByteArrayList AlertsPage::selectedOpen() const
{
    QByteArrayList ids;
    if (m_session && m_session->isPast())
        return ids;
    for (const int row : selectedRows(*m_table)) {
        const AlertPtr alert = m_model->alertAt(row);
        if (alert && alert->isOpen() && alert->acknowledgedMs == 0)
            ids << alert->id;
    }
    return ids;
}

void AlertsPage::acknowledge()
{
    if (const QByteArrayList ids = selectedOpen(); alerts() && !ids.isEmpty())
        alerts()->acknowledge(ids);
}

void AlertsPage::silence()
{
    const AlertPtr alert = current();
    if (!alert || !alerts() || m_session->isPast())
        return;
    auto* dialog = new SilenceDialog(alert, m_session->live()->setup().clock->nowMs(), window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    // For that deployment, even if another one is in front by then.
    connect(dialog, &QDialog::accepted, this, [dialog, its = QPointer(alerts())] {
        if (its)
            its->silence(dialog->silence());
    });
    dialog->open();
}

void AlertsPage::endSilence()
{
    const AlertPtr alert = current();
    if (!alert || !alerts())
        return;
    if (const Silence* silence =
            alerts()->alerts()->silenceOf(*alert, m_session->live()->setup().clock->nowMs()))
        alerts()->endSilence(silence->id);
}

void AlertsPage::goToObject()
{
    const AlertPtr alert = current();
    if (!alert || !alerts())
        return;
    if (!alert->kind)
        return emit wanted(ServerTarget());
    if (const Handle handle = shownHandle(*alert); handle != noHandle)
        emit wanted(PrimitiveTarget{*alert->kind, handle});
}

// At the moment that the boards show.
Handle AlertsPage::shownHandle(const Alert& alert) const
{
    return alert.kind ? handleOfRecorded(*m_session, *alert.kind, alert.primitive) : noHandle;
}

// The primitive may be gone by now, but it existed at that moment.
void AlertsPage::goToMoment()
{
    const AlertPtr alert = current();
    if (!alert)
        return;
    if (!alert->kind)
        emit wanted(ServerTarget());
    emit wanted(MomentTarget{alert->firedMs, alert->kind.value_or(Kind::Limiter),
                             alert->kind ? alert->primitive : PrimitiveId()});
}

// An alert that has ended opens at its moment.
void AlertsPage::activate()
{
    const AlertPtr alert = current();
    if (alert && !alert->isOpen() && isRecorded(*alert))
        goToMoment();
    else
        goToObject();
}

bool AlertsPage::isRecorded(const Alert& alert) const
{
    const SessionHistory* history = m_session->live()->history();
    return history && history->firstMs() > 0 && alert.firedMs >= history->firstMs();
}

void AlertsPage::editRules()
{
    if (alerts())
        RuleDialog::open(m_session->live(), this);
}

void AlertsPage::editQuietHours()
{
    if (alerts() && !m_session->configFile().isEmpty())
        QuietDialog::open(m_session->live(), this);
}

void AlertsPage::listSilences()
{
    if (alerts())
        SilencesDialog::open(m_session->live(), this);
}

void AlertsPage::fillTestMenu()
{
    m_tests->clear();
    const QByteArrayList targets = alerts() ? alerts()->targets() : QByteArrayList();
    for (const QByteArray& target : targets) {
        m_tests->addAction(displayName(target), this, [this, target] {
            if (alerts())
                alerts()->test(target);
        });
    }
    if (targets.isEmpty())
        m_tests->addAction(tr("No notification target is configured"))->setEnabled(false);
}

void AlertsPage::onTested(const QByteArray& target, const QString& problem)
{
    m_tested = problem.isEmpty()
                   ? tr("%1: the test notification was delivered").arg(displayName(target))
                   : tr("%1: the test notification was not delivered: %2")
                         .arg(displayName(target), problem);
    updateNote();
}

void AlertsPage::exportCsv()
{
    askToSaveCsv(this, tr("Save the table"), tr("alerts"), [this] { return m_model->csv(); });
}

RowsText AlertsPage::csvOf(const std::vector<int>& rows) const
{
    return m_model->csv(rows);
}

void AlertsPage::showMenu(const QPoint& position)
{
    const AlertPtr alert = current();
    if (!alert)
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Show"), this, &AlertsPage::goToObject)
        ->setEnabled(!alert->kind || shownHandle(*alert) != noHandle);
    menu->addAction(tr("Show when it fired"), this, &AlertsPage::goToMoment)
        ->setEnabled(isRecorded(*alert));
    menu->addSeparator();
    menu->addAction(tr("Acknowledge"), this, &AlertsPage::acknowledge)
        ->setEnabled(!selectedOpen().isEmpty());
    menu->addAction(tr("Silence…"), this, &AlertsPage::silence)
        ->setEnabled(alert->isOpen() && !m_session->isPast());
    menu->addSeparator();
    menu->addAction(tr("Copy selected rows"), this, &AlertsPage::copySelection);
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

} // namespace lk
