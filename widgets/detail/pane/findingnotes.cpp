// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/pane/findingnotes.h"

#include "backend/findings/findings.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/theme.h"

#include <QLabel>
#include <QToolButton>

namespace lk {

namespace {

constexpr size_t mostLines = 3; // the charts below need their room

} // namespace

FindingNotes::FindingNotes(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
    , m_more(new QLabel)
{
    setObjectName(QStringLiteral("findingNotes"));
    setAccessibleName(tr("Findings"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(2);
    m_more->setFont(uiFont(TextSize::Caption));
    m_more->setForegroundRole(QPalette::PlaceholderText);
    m_layout->addWidget(m_more);
    hide();
    onPaletteChange(this, [this] { updateIcons(); });
}

FindingNotes::Line& FindingNotes::line(size_t index)
{
    while (m_lines.size() <= index) {
        Line made{new QWidget, new QLabel, new QLabel, new QToolButton};
        made.text->setWordWrap(true);
        made.text->setTextFormat(Qt::PlainText);
        made.why->setText(tr("Why?"));
        made.why->setAutoRaise(true);
        made.why->setFocusPolicy(Qt::StrongFocus);
        rowIn(made.row, {}, 6,
              {{made.icon, 0, Qt::AlignTop}, {made.text, 1}, {made.why, 0, Qt::AlignTop}});
        m_layout->insertWidget(int(m_lines.size()), made.row);
        const size_t place = m_lines.size();
        connect(made.why, &QToolButton::clicked, this,
                [this, place] { emit wanted(m_lines[place].id); });
        m_lines.push_back(made);
    }
    return m_lines[index];
}

void FindingNotes::show(const std::vector<LiveFindingPtr>& findings)
{
    if (findings == m_shown)
        return;
    m_shown = findings;
    const size_t shown = std::min(findings.size(), mostLines);
    for (size_t i = 0; i < shown; ++i) {
        const Finding& finding = findings[i]->finding;
        Line& its = line(i);
        its.id = findings[i]->id;
        its.text->setText(finding.message);
        its.text->setAccessibleName(
            QStringLiteral("%1: %2").arg(severityWord(finding.severity), finding.message));
        // A tip breaks its lines only as rich text.
        its.why->setToolTip(QStringLiteral("<p>%1</p><p>%2</p>")
                                .arg(finding.why.toHtmlEscaped(), finding.advice.toHtmlEscaped()));
        its.why->setAccessibleName(tr("Why it matters: %1").arg(finding.message));
        its.why->setEnabled(its.id != 0); // else it is not among the rows of its board
    }
    for (size_t i = 0; i < m_lines.size(); ++i)
        m_lines[i].row->setVisible(i < shown);
    m_more->setText(tr("… and %Ln more", nullptr, int(findings.size() - shown)));
    m_more->setVisible(findings.size() > shown);
    updateIcons();
    setVisible(!findings.empty());
}

void FindingNotes::updateIcons()
{
    const int side = fontMetrics().height();
    for (size_t i = 0; i < std::min(m_shown.size(), m_lines.size()); ++i) {
        const Finding::Severity severity = m_shown[i]->finding.severity;
        m_lines[i].icon->setPixmap(severityIcon(severity, palette()).pixmap(side, side));
        m_lines[i].icon->setToolTip(severityWord(severity));
        // In line with the first line of the text beside it.
        m_lines[i].icon->setContentsMargins(0, 2, 0, 0);
    }
}

} // namespace lk
