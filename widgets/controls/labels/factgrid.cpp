// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/labels/factgrid.h"

#include "widgets/controls/labels/breakinglabel.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QGridLayout>
#include <QLabel>

namespace lk {

FactGrid::FactGrid(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(16);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
}

void FactGrid::setRows(std::vector<Row> rows)
{
    if (rows == m_rows)
        return;
    while (m_lines.size() < rows.size()) {
        auto* label = new QLabel;
        label->setTextFormat(Qt::PlainText); // what a server holds is never markup
        label->setForegroundRole(QPalette::PlaceholderText);
        label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        auto* value = new BreakingLabel;
        const int row = int(m_lines.size());
        m_grid->addWidget(label, row, 0);
        m_grid->addWidget(value, row, 1);
        m_lines.push_back({label, value});
    }
    for (size_t i = 0; i < m_lines.size(); ++i) {
        const bool used = i < rows.size();
        m_lines[i].label->setVisible(used);
        m_lines[i].value->setVisible(used);
        if (!used)
            continue;
        m_lines[i].label->setText(rows[i].label);
        m_lines[i].value->setText(rows[i].value);
        m_lines[i].value->setBreaksAnywhere(rows[i].mono); // a key or owner is never cut
        m_lines[i].value->setToolTip(rows[i].mono ? plainTip(rows[i].value) : QString());
        m_lines[i].value->setFont(rows[i].mono ? monoFont(TextSize::Body) : uiFont(TextSize::Body));
        m_lines[i].value->setAccessibleName(
            QStringLiteral("%1: %2").arg(rows[i].label, rows[i].value));
    }
    m_rows = std::move(rows);
}

} // namespace lk
