// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/bodies.h"

#include "widgets/detail/factgrid.h"
#include "widgets/detail/primitivefacts.h"

#include <QLocale>
#include <QVBoxLayout>

namespace lk {

namespace {

class PatternBody final : public DetailBody
{
public:
    explicit PatternBody(QWidget* parent = nullptr)
        : DetailBody(parent)
        , m_facts(new FactGrid)
    {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(m_facts);
        layout->addStretch(1);
    }

    void begin(Session&, Handle) override {}

    void showState(Session&, Handle, const State& state) override
    {
        std::vector<FactGrid::Row> rows;
        if (const auto* pattern = state.as<PatternState>()) {
            for (const auto& [id, value] : pattern->values)
                rows.push_back({QString::fromLatin1(id), QLocale().toString(value), false});
        }
        const std::vector<FactGrid::Row> common = primitiveFacts(state);
        rows.insert(rows.end(), common.begin(), common.end());
        m_facts->setRows(std::move(rows));
    }

    void showTime(Session&, Handle, qint64) override {}

private:
    FactGrid* m_facts;
};

} // namespace

DetailBody* makePatternBody()
{
    return new PatternBody;
}

} // namespace lk
