// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/alerts/silencesdialog.h"

#include "backend/core/names/keyname.h"
#include "backend/session/session.h"
#include "backend/session/sessionalerts.h"
#include "backend/text/time/duration.h"
#include "widgets/controls/labels/wrappedlabel.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/controls/tables/rowselection.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QHeaderView>
#include <QPushButton>
#include <QStandardItemModel>

namespace lk {

namespace {

enum Column { WhatColumn, UntilColumn, ByColumn, ReasonColumn, ColumnCount };

constexpr int shownCharacters = 60;

QString whatText(const Silence& silence)
{
    const QString rule = displayPreview(silence.rule, shownCharacters);
    const QString match = displayPreview(silence.match, shownCharacters);
    if (match.isEmpty())
        return rule.isEmpty() ? SilencesDialog::tr("all alerts")
                              : SilencesDialog::tr("all alerts of the rule %1").arg(rule);
    return rule.isEmpty() ? SilencesDialog::tr("all alerts on %1").arg(match)
                          : SilencesDialog::tr("%1 on %2").arg(rule, match);
}

} // namespace

SilencesDialog* SilencesDialog::open(Session* session, QWidget* over)
{
    auto* dialog = new SilencesDialog(session, over->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->QDialog::open();
    return dialog;
}

SilencesDialog::SilencesDialog(Session* session, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_alerts(session->alerts())
    , m_model(new QStandardItemModel(0, ColumnCount, this))
    , m_table(new FlatTable)
    , m_none(wrappedLabel(tr("Nothing is silenced."), uiFont(TextSize::Body)))
    , m_end(new QPushButton(tr("&End silence")))
{
    setObjectName(QStringLiteral("silencesDialog"));
    setWindowTitle(tr("Silences \u2013 Lockkeeper"));
    resize(720, 360);
    m_model->setHorizontalHeaderLabels({tr("What"), tr("Until"), tr("By"), tr("Reason")});
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Silences"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(WhatColumn, QHeaderView::Stretch);
    auto* close = new QPushButton(tr("&Close"));
    auto* buttons = rowOf(8, {m_end, BoxStretch{}, close});
    columnIn(this, {16, 16, 16, 16}, 12,
             {wrappedLabel(tr("Silences"), uiFont(TextSize::Title)),
              wrappedLabel(tr("Silenced alerts send no notifications. Silences that match "
                              "no open alert are listed, too."),
                           uiFont(TextSize::Body)),
              m_none,
              {m_table, 1},
              buttons});
    connect(m_end, &QPushButton::clicked, this, &SilencesDialog::endSelected);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { m_end->setEnabled(!selectedRows(*m_table).empty()); });
    connect(m_alerts, &SessionAlerts::changed, this, &SilencesDialog::fill);
    connect(session, &QObject::destroyed, this, &QDialog::close);
    fill();
    close->setDefault(true);
}

void SilencesDialog::fill()
{
    if (!m_session || !m_alerts)
        return;
    const qint64 nowMs = m_session->setup().clock->nowMs();
    std::vector<Silence> silences = m_alerts->alerts()->silences;
    std::erase_if(silences, [nowMs](const Silence& silence) {
        return silence.untilMs > 0 && silence.untilMs <= nowMs;
    });
    m_none->setVisible(silences.empty());
    m_table->setVisible(!silences.empty());
    if (silences == m_shown && m_model->rowCount() > 0)
        return; // what is selected stays so
    m_shown = std::move(silences);
    m_model->setRowCount(0);
    for (const Silence& silence : m_shown) {
        const QString until =
            silence.untilMs > 0 ? momentText(silence.untilMs) : tr("ended manually");
        QList<QStandardItem*> row;
        for (const QString& text :
             {whatText(silence), until, silence.by, displayPreview(silence.reason.toUtf8(), 200)})
            row << new QStandardItem(text);
        m_model->appendRow(row);
    }
    m_end->setEnabled(false);
}

void SilencesDialog::endSelected()
{
    if (!m_alerts)
        return;
    for (const int row : selectedRows(*m_table)) {
        if (row >= 0 && row < int(m_shown.size()))
            m_alerts->endSilence(m_shown[size_t(row)].id);
    }
}

} // namespace lk
