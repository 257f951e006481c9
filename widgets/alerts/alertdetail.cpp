// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/alerts/alertdetail.h"

#include "backend/core/names/keyname.h"
#include "backend/findings/findings.h"
#include "backend/text/time/duration.h"
#include "widgets/controls/emptystate.h"
#include "widgets/controls/labels/elidedlabel.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/controls/labels/wrappedlabel.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/theme.h"

#include <QLabel>
#include <QPushButton>

namespace lk {

AlertDetail::AlertDetail(QWidget* parent)
    : DetailFrame(parent)
    , m_name(new ElidedLabel)
    , m_icon(new QLabel)
    , m_word(new QLabel)
    , m_text(wrappedLabel())
    , m_facts(new FactGrid)
    , m_acknowledge(new QPushButton(tr("&Acknowledge")))
    , m_silence(new QPushButton(tr("&Silence…")))
    , m_endSilence(new QPushButton(tr("&End silence")))
    , m_show(new QPushButton(tr("Sho&w")))
    , m_then(new QPushButton(tr("Show when it &fired")))
{
    setMinimumWidth(330);
    setObjectName(QStringLiteral("alertDetail"));
    m_name->setFont(monoFont(TextSize::Title));
    auto* head = rowOf(8, {{m_name, 1}, m_icon, m_word});
    auto* page = new QWidget;
    columnIn(page, {16, 16, 16, 16}, 12, {head, m_text, m_facts, BoxStretch{}});
    nothing()->setText(QStringLiteral("alert"), tr("Nothing selected"),
                       tr("Select an alert to acknowledge or silence it, or to see what it is "
                          "about."));
    build(page, buildBar(), tr("Details"));
    onPaletteChange(this, [this] { updateIcon(); });
}

QWidget* AlertDetail::buildBar()
{
    auto* bar = new QWidget;
    auto* rows = columnIn(bar, {16, 12, 16, 12}, 8);
    auto* first = new QHBoxLayout;
    first->setSpacing(8);
    for (QPushButton* button : {m_acknowledge, m_silence, m_endSilence, m_show})
        first->addWidget(button);
    first->addStretch(1);
    rows->addLayout(first);
    rows->addWidget(m_then, 0, Qt::AlignLeft); // four do not stand beside one another
    m_acknowledge->setToolTip(
        tr("Tells others that someone is looking into it; it stays open until it is resolved"));
    connect(m_acknowledge, &QPushButton::clicked, this, &AlertDetail::acknowledgeWanted);
    connect(m_silence, &QPushButton::clicked, this, &AlertDetail::silenceWanted);
    connect(m_endSilence, &QPushButton::clicked, this, &AlertDetail::silenceEndWanted);
    connect(m_show, &QPushButton::clicked, this, &AlertDetail::objectWanted);
    m_then->setObjectName(QStringLiteral("showFired"));
    m_then->setToolTip(tr("Shows all boards as they were when the alert fired"));
    connect(m_then, &QPushButton::clicked, this, &AlertDetail::momentWanted);
    return bar;
}

void AlertDetail::updateIcon()
{
    if (m_shown)
        m_icon->setPixmap(severityIcon(m_shown->severity, palette()).pixmap(16, 16));
}

void AlertDetail::show(const AlertPtr& alert, AlertStanding standing, const Silence* silence,
                       const Can& can)
{
    m_shown = alert;
    if (!alert)
        return showPage(false);
    m_name->setText(displayName(alert->name));
    updateIcon();
    m_word->setText(severityWord(alert->severity));
    m_text->setText(alert->text);
    std::vector<FactGrid::Row> rows{
        {tr("Rule"), displayName(alert->rule), true},
        {tr("State"), standingWord(standing)},
        {tr("Active since"), momentText(alert->sinceMs)},
        {tr("Fired"), momentText(alert->firedMs)},
    };
    if (!alert->isOpen())
        rows.push_back({tr("Resolved"), momentText(alert->resolvedMs)});
    if (alert->acknowledgedMs != 0)
        rows.push_back(
            {tr("Acknowledged"),
             tr("%1 by %2").arg(momentText(alert->acknowledgedMs), alert->acknowledgedBy)});
    if (silence) {
        rows.push_back({tr("Silenced by"), silence->by});
        rows.push_back({tr("Silenced until"), silence->untilMs == 0
                                                  ? tr("ended manually")
                                                  : momentText(silence->untilMs)});
        if (!silence->reason.isEmpty())
            rows.push_back({tr("Reason"), silence->reason});
    }
    m_facts->setRows(std::move(rows));
    m_acknowledge->setVisible(alert->isOpen());
    m_acknowledge->setEnabled(can.act && alert->acknowledgedMs == 0);
    m_silence->setEnabled(can.act);
    m_endSilence->setEnabled(can.act);
    m_silence->setVisible(alert->isOpen() && !silence);
    m_endSilence->setVisible(alert->isOpen() && silence);
    m_show->setEnabled(can.object);
    m_then->setVisible(can.moment);
    showPage(true);
}

} // namespace lk
