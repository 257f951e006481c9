// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/certaintytext.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Certainty)
};

} // namespace

QString certaintyWord(Certainty certainty)
{
    switch (certainty) {
    case Certainty::Declared:
        return Text::tr("declared");
    case Certainty::Certain:
        return Text::tr("certain");
    case Certainty::Likely:
        return Text::tr("likely");
    case Certainty::Possible:
        break;
    }
    return Text::tr("possible");
}

QString doubtText(Doubt doubt)
{
    switch (doubt) {
    case Doubt::ValueOnly:
        return Text::tr("The content matches, but the name gives no hint.");
    case Doubt::NoTtl:
        return Text::tr("The name matches, but the key has no TTL of the usual length.");
    case Doubt::OtherWords:
        return Text::tr("The name also matches something else.");
    case Doubt::NameOnly:
        break;
    }
    return Text::tr("The name matches, but the content does not prove it.");
}

} // namespace lk
