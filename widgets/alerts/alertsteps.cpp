// SPDX-License-Identifier: GPL-3.0-or-later
// What the page of alerts offers to do.
#include "backend/core/names/keyname.h"
#include "backend/session/alerting/sessionalerts.h"
#include "backend/session/past/sessionhistory.h"
#include "backend/session/session.h"
#include "widgets/alerts/alertdetail.h"
#include "widgets/alerts/alertmodel.h"
#include "widgets/alerts/alertspage.h"
#include "widgets/alerts/ruledialog.h"
#include "widgets/alerts/silencedialog.h"
#include "widgets/controls/tables/rowselection.h"
#include "widgets/saving/offthread.h"
#include "widgets/saving/saveas.h"

#include <QMenu>
#include <QTableView>

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
        return m_detail->show(nullptr, AlertStanding::Past, nullptr, false, false);
    const Silence* silence =
        alert->isOpen()
            ? now->alerts()->silenceOf(*alert, m_session->live()->setup().clock->nowMs())
            : nullptr;
    const bool there = !alert->kind || now->handleOf(*alert) != noHandle;
    const SessionHistory* history = m_session->live()->history();
    const bool recorded = !m_session->isPast() && history && history->firstMs() > 0 &&
                          alert->firedMs >= history->firstMs();
    m_detail->show(alert, m_model->standingAt(row), silence, there, recorded);
}

QByteArrayList AlertsPage::selectedOpen() const
{
    QByteArrayList ids;
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
    if (!alert || !alerts())
        return;
    auto* dialog = new SilenceDialog(alert, m_session->live()->setup().clock->nowMs(), window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    // Of that deployment, whichever is in front by then.
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
    if (const Handle handle = alerts()->handleOf(*alert); handle != noHandle)
        emit wanted(PrimitiveTarget{*alert->kind, handle});
}

// Its object first: the boards that show that moment keep what is chosen.
void AlertsPage::goToMoment()
{
    const AlertPtr alert = current();
    if (!alert)
        return;
    goToObject();
    emit wanted(MomentTarget{alert->firedMs});
}

void AlertsPage::editRules()
{
    if (alerts())
        RuleDialog::open(m_session->live(), this);
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
    askToSaveCsv(this, tr("Save the table"), tr("alerts"),
                 [this] { return [text = m_model->csv()] { return text; }; });
}

void AlertsPage::copySelection()
{
    const std::vector<int> rows = selectedRows(*m_table);
    if (!rows.empty())
        copyText(this, [text = m_model->csv(rows)] { return text; });
}

void AlertsPage::showMenu(const QPoint& position)
{
    const AlertPtr alert = current();
    if (!alert)
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Show"), this, &AlertsPage::goToObject)
        ->setEnabled(!alert->kind || alerts()->handleOf(*alert) != noHandle);
    menu->addSeparator();
    menu->addAction(tr("Acknowledge"), this, &AlertsPage::acknowledge)
        ->setEnabled(!selectedOpen().isEmpty());
    menu->addAction(tr("Silence…"), this, &AlertsPage::silence)->setEnabled(alert->isOpen());
    menu->addSeparator();
    menu->addAction(tr("Copy selected rows"), this, &AlertsPage::copySelection);
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

} // namespace lk
